import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { type Answer, alone, candidateIds, idOf, judgeAll, newWorker, wording, workerOf } from "./work-scene.ts";

forEachStillStore("covibe_workstream", (open) => {
  test("[TW22, GA1] is checked and started like a task", async () => {
    const house = await open();
    const ada = workerOf(house);
    expect((await ada.stream("start", { title: alone })).data).toEqual({ code: "CHECK_REQUIRED" });
    const checked = await ada.stream("check", { title: alone });
    expect(checked.feedback.required_action).toBe(
      `Call covibe_workstream with operation start, the same title and check_id ${checked.data["check_id"]} within 10 minutes.`,
    );
    let started: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      started = await ada.stream("start", { title: alone, scope: "The islands", priority: "high" });
    });
    const id = idOf(started as Answer, "workstream_id");
    expect(started).toEqual({
      status: "ok",
      message: "Workstream started.",
      feedback: {
        type: "info",
        required_action: `Call covibe_task with operation check for its first task, then start it with workstream_id ${id}.`,
      },
      data: {
        workstream_id: id,
        workstream: {
          id,
          title: alone,
          description: "",
          status: "active",
          session_id: null,
          scope: "The islands",
          action: null,
          component: null,
          priority: "high",
          repo: null,
          branch: null,
          auto_created: false,
          result_summary: null,
          created_at: momentAt(0),
          updated_at: momentAt(0),
        },
        check_id: checked.data["check_id"],
        warning_id: null,
        warning_status: null,
        matches: [],
        file_conflicts: [],
      },
    });
    expect(work).toEqual([
      {
        kind: "workstream.started",
        announced: "workstream.started",
        subject: id,
        channels: [`workstream:${id}`, `workflow:${id}`],
        data: { title: alone, check_id: checked.data["check_id"] },
        developerId: house.owner.developerId,
      },
    ]);
  });

  test("[TW22, GA24] is planned, found by others, and compared again when it is started", async () => {
    const house = await open();
    const [ada, bob] = [workerOf(house), await newWorker(house, "bob")];
    const planned = await ada.stream("plan", { title: wording });
    const workstream_id = idOf(planned, "workstream_id");
    expect(planned).toMatchObject({ status: "ok", data: { workstream: { status: "planned", auto_created: false } } });
    const checked = await bob.stream("check", { title: wording });
    expect(candidateIds(checked)).toEqual([workstream_id]);

    const clean = await ada.stream("check", { title: wording, planned_workstream_id: workstream_id });
    expect(clean.status).toBe("ok");
    const his = idOf(await bob.stream("start", { title: wording, ...judgeAll(checked) }), "workstream_id");
    const blocked = await ada.stream("start_planned", { workstream_id });
    expect(blocked.data).toMatchObject({ code: "VERDICT_REQUIRED", candidates: [{ id: his, type: "workstream" }] });
    const { work } = await traceOf(house, async () => {
      const started = await ada.stream("start_planned", { workstream_id, ...judgeAll(blocked) });
      expect(started).toMatchObject({ status: "ok", data: { workstream: { status: "active" } } });
    });
    expect(work.map(({ announced }) => announced)).toEqual(["workstream.start_planned", "scope.judged"]);
  });

  test("[TW4, TW22] is planned although it may be the same, with a warning", async () => {
    const house = await open();
    await workerOf(house).beginStream(wording);
    const bob = await newWorker(house, "bob");
    const { work } = await traceOf(house, async () => {
      expect(await bob.stream("plan", { title: wording })).toMatchObject({
        status: "warning",
        message: expect.stringContaining("workstream is planned"),
      });
    });
    expect(work).toMatchObject([{ announced: "workstream.planned", data: { warning_id: expect.any(String) } }]);
  });

  test("[TW23] is blocked and goes on once it was started", async () => {
    const house = await open();
    const ada = workerOf(house);
    const workstream_id = await ada.beginStream(alone);
    const { work } = await traceOf(house, async () => {
      for (const status of ["blocked", "blocked", "active"]) {
        expect((await ada.stream("update", { workstream_id, status })).data).toMatchObject({ workstream: { status } });
      }
    });
    expect(work.map(({ announced, data }) => [announced, data["to"]])).toEqual([
      ["workstream.updated", "blocked"],
      ["workstream.updated", "active"],
    ]);
    const planned = idOf(await ada.stream("plan", { title: wording }), "workstream_id");
    await ada.stream("complete", { workstream_id, result_summary: "Done." });
    for (const id of [planned, workstream_id]) {
      const update = { operation: "update", workstream_id: id, status: "active" };
      expect(await ada.refusal("covibe_workstream", update)).toBe("INVALID_TRANSITION");
    }
  });

  test("[TW27] warns of edits and changes nothing", async () => {
    const house = await open();
    const ada = workerOf(house);
    const workstream_id = await ada.beginStream(alone);
    const { work } = await traceOf(house, async () => {
      for (const more of [{}, { status: "blocked" }]) {
        const answer = await ada.stream("update", { workstream_id, title: wording, scope: "Another", ...more });
        expect(answer).toMatchObject({
          status: "warning",
          feedback: { type: "warning" },
          data: { code: "NOT_EDITABLE", fields: ["title", "scope"], workstream: { title: alone, status: "active" } },
        });
      }
      expect(await ada.refusal("covibe_workstream", { operation: "update", workstream_id })).toBe("INVALID_INPUT");
    });
    expect(work).toEqual([]);
  });

  test("[TW24, TW25] is not closed over open tasks in silence, and is completed once", async () => {
    const house = await open();
    const ada = workerOf(house);
    const workstream_id = await ada.beginStream("Winter season");
    const open_task_ids = [
      idOf(await ada.plan(alone, { workstream_id })),
      idOf(await ada.plan(wording, { workstream_id })),
    ];
    const end = { workstream_id, result_summary: "The season is over." };
    const refused = await traceOf(house, async () => {
      const answer = await ada.stream("complete", end);
      expect(answer).toMatchObject({ status: "warning", data: { code: "OPEN_TASKS" } });
      expect((answer.data["open_task_ids"] as string[]).sort()).toEqual([...open_task_ids].sort());
      expect(answer.feedback.required_action).toContain("confirm_open_tasks");
    });
    expect(refused.work).toEqual([]);
    const { work } = await traceOf(house, async () => {
      const answer = await ada.stream("complete", { ...end, confirm_open_tasks: true });
      expect(answer.data["workstream"]).toMatchObject({ status: "done", result_summary: "The season is over." });
    });
    expect(work).toMatchObject([{ announced: "workstream.completed", data: { by_server: false } }]);
    expect((work[0]?.data["open_task_ids"] as string[]).sort()).toEqual([...open_task_ids].sort());
    expect(await house.call("task_get", { id: open_task_ids[0] })).toMatchObject({ status: "pending" });
    const again = await traceOf(house, async () => {
      expect((await ada.stream("complete", end)).data["code"]).toBe("ALREADY_COMPLETED");
    });
    expect(again.work).toEqual([]);
  });

  test("[TW25] is cancelled only while it is planned", async () => {
    const house = await open();
    const ada = workerOf(house);
    const planned = idOf(await ada.stream("plan", { title: alone }), "workstream_id");
    const started = await ada.beginStream(wording);
    const cancel = { operation: "cancel", reason: "Called off." };
    expect(await ada.refusal("covibe_workstream", { ...cancel, workstream_id: started })).toBe("INVALID_TRANSITION");
    const { work } = await traceOf(house, async () => {
      for (const code of [undefined, "ALREADY_CANCELLED"]) {
        expect((await ada.call("covibe_workstream", { ...cancel, workstream_id: planned })).data["code"]).toBe(code);
      }
    });
    expect(work).toMatchObject([{ announced: "workstream.cancelled", data: { reason: "Called off." } }]);
    const complete = { operation: "complete", workstream_id: planned, result_summary: "Done." };
    expect(await ada.refusal("covibe_workstream", complete)).toBe("INVALID_TRANSITION");
  });

  test("[TW3] refuses what is unknown, foreign or over: WORKFLOW_NOT_FOUND, FORBIDDEN, SESSION_NOT_FOUND, INVALID_STATE", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const [started, planned] = [
      await ada.beginStream(wording),
      idOf(await ada.stream("plan", { title: alone }), "workstream_id"),
    ];
    const session = await ada.inSession();
    await session.call("covibe_session", { operation: "end" });
    const about = { title: "Paint the lighthouse door red" };
    const named = (id: string) => [
      { operation: "check", ...about, planned_workstream_id: id },
      { operation: "start_planned", workstream_id: id },
      { operation: "update", workstream_id: id, status: "active" },
      { operation: "complete", workstream_id: id, result_summary: "Done." },
      { operation: "cancel", workstream_id: id, reason: "No." },
    ];
    const { work } = await traceOf(house, async () => {
      for (const args of named("wf_0")) expect(await ada.refusal("covibe_workstream", args)).toBe("WORKFLOW_NOT_FOUND");
      for (const args of named(planned)) expect(await bob.refusal("covibe_workstream", args)).toBe("FORBIDDEN");
      const own = [{ operation: "plan", ...about }, { operation: "start", ...about }, ...named(planned)];
      for (const args of own) {
        expect(await session.refusal("covibe_workstream", args), args.operation).toBe("INVALID_STATE");
        const nowhere = { ...args, session_id: "ag_0" };
        expect(await ada.refusal("covibe_workstream", nowhere), args.operation).toBe("SESSION_NOT_FOUND");
      }
      for (const args of named(started).slice(0, 2)) {
        expect(await ada.refusal("covibe_workstream", args), args.operation).toBe("INVALID_STATE");
      }
    });
    expect(work).toEqual([]);
  });

  test("[TW26] workstream_list has what one's tasks can be put into", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const list = (args: object = {}) =>
      house.call<{ workstreams: { id: string }[]; truncated: boolean }>("workstream_list", args);
    expect(await list()).toEqual({ workstreams: [], truncated: false });
    const first = await ada.beginStream(alone, { repo: "acme/one", branch: "winter" });
    const second = await ada.beginStream("Retry failed webhook deliveries");
    await bob.beginStream("Harbour lights at night");
    await ada.stream("plan", { title: "Summer season" });
    await ada.plan("Translate timetables into Norwegian");
    const over = await ada.beginStream("Paint the lighthouse door red");
    await ada.stream("complete", { workstream_id: over, result_summary: "Over." });
    house.clock.advance(1_000);
    await ada.stream("update", { workstream_id: first, status: "blocked" });

    const { workstreams, truncated } = await list();
    expect(truncated).toBe(false);
    expect(workstreams.map(({ id }) => id)).toEqual([first, second]);
    expect(workstreams[0]).toEqual({
      id: first,
      title: alone,
      status: "blocked",
      repo: "acme/one",
      branch: "winter",
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(await list({ limit: 1 })).toMatchObject({ workstreams: [{ id: first }], truncated: true });
  });
});
