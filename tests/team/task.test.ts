import { expect, test } from "vitest";
import { findIntent } from "../../src/domain/intent/queries.ts";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { type Answer, alone, candidateIds, idOf, newWorker, wording, workerOf } from "./work-scene.ts";

forEachStillStore("covibe_task", (open) => {
  test("[TW4] plans a task for later, and says how it is begun", async () => {
    const house = await open();
    const ada = workerOf(house);
    let answer: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      answer = await ada.plan(alone, { priority: "high", description: "All of it.", component: "web" });
    });
    const id = idOf(answer as Answer);
    const home = answer?.data["workstream_id"];
    expect(answer).toEqual({
      status: "ok",
      message: "The task is planned.",
      feedback: {
        type: "info",
        required_action: `When you start it, call covibe_task with operation check, its title and planned_task_id ${id}, then start_planned.`,
      },
      data: {
        task_id: id,
        workstream_id: home,
        task: {
          id,
          title: alone,
          description: "All of it.",
          status: "planned",
          workstream_id: home,
          session_id: null,
          scope: null,
          action: null,
          component: "web",
          priority: "high",
          task_type: "feature",
          repo: null,
          branch: null,
          target_files: [],
          result_summary: null,
          started_at: null,
          created_at: momentAt(0),
          updated_at: momentAt(0),
        },
        warning_id: null,
        candidates: [],
        matches: [],
        nearest: [],
        file_conflicts: [],
      },
    });
    expect(work).toEqual([
      {
        kind: "task.created",
        announced: "task:created",
        subject: id,
        channels: [`task:${id}`, `workflow:${home}`],
        data: { workflow_id: home, name: alone, status: "planned" },
        developerId: house.owner.developerId,
      },
      {
        kind: "workstream.autoCreated",
        announced: "workstream.auto_created",
        subject: home,
        channels: [`workstream:${home}`, `workflow:${home}`],
        data: { title: alone, task_id: id },
        developerId: house.owner.developerId,
      },
      {
        kind: "task.planned",
        announced: "task.planned",
        subject: id,
        channels: [`task:${id}`, `workflow:${home}`],
        data: { workflow_id: home, title: alone, task_type: "feature", warning_id: null },
        developerId: house.owner.developerId,
      },
    ]);
  });

  test("[TW4, TW2] plans what may be the same all the same, with a warning that is kept", async () => {
    const house = await open();
    const taskId = await workerOf(house).begin(wording);
    const bob = await newWorker(house, "bob");
    const answer = await bob.plan(wording);
    expect(answer).toMatchObject({ status: "warning", feedback: { type: "warning" } });
    expect(candidateIds(answer)).toEqual([taskId]);
    const warnings = await house.house.store.read((db) => db.all(db.q.selectFrom("warning").selectAll()));
    expect(warnings).toMatchObject([
      { id: answer.data["warning_id"], subjectId: idOf(answer), status: "open", checkId: null },
    ]);
    expect(await house.entries("feedback")).toMatchObject([{ kind: "feedback.warning", subject: idOf(answer) }]);
  });

  test("[TW5] needs a type for plans and starts; a check without one names the type to start with", async () => {
    const house = await open();
    const ada = workerOf(house);
    const checked = await ada.task("check", { title: alone });
    expect(checked).toMatchObject({ status: "ok" });
    expect(checked.feedback.required_action).toContain("the same title, task_type feature and check_id");
    for (const operation of ["check", "plan", "start"]) {
      const untyped = { operation, title: alone };
      if (operation !== "check") expect(await ada.refusal("covibe_task", untyped)).toBe("INVALID_REQUEST");
      const unknown = { operation, title: alone, task_type: "epic" };
      expect(await ada.refusal("covibe_task", unknown)).toBe("INVALID_REQUEST");
    }
  });

  test("[TW6, TW17] starts a task that other families see, where its session is", async () => {
    const house = await open();
    const session = await house.call<Answer>("covibe_session", {
      operation: "start",
      repo: "acme/ferry",
      branch: "fi",
    });
    const session_id = session.data["session_id"];
    const about = { title: alone, task_type: "chore", session_id };
    const checked = await house.call<Answer>("covibe_task", { operation: "check", ...about });
    let started: Answer | undefined;
    const { work, usage } = await traceOf(house, async () => {
      started = await house.call<Answer>("covibe_task", { operation: "start", ...about, target_files: ["fi.json"] });
    });
    const id = idOf(started as Answer);
    expect(started?.data["task"]).toMatchObject({ status: "active", repo: "acme/ferry", branch: "fi", session_id });
    expect(work.at(-1)).toEqual({
      kind: "task.started",
      announced: "task.started",
      subject: id,
      channels: [`task:${id}`, `workflow:${started?.data["workstream_id"]}`, `agent:${session_id}`],
      data: {
        workflow_id: started?.data["workstream_id"],
        title: alone,
        task_type: "chore",
        check_id: checked.data["check_id"],
        was_planned: false,
        session_id,
      },
      developerId: house.owner.developerId,
    });
    expect(usage).toMatchObject([{ tool: "covibe_task", operation: "start", outcome: "ok", status: "ok", session_id }]);
    expect(await house.call("task_get", { id })).toMatchObject({ name: alone, status: "in_progress" });
    const agent = await house.agent("Helper");
    expect(await house.call("task_claim", { task_id: id, agent_id: agent })).toMatchObject({ success: true });
  });

  test("[TW7] starts a planned task after a check with its title and id", async () => {
    const house = await open();
    const ada = workerOf(house);
    const task_id = idOf(await ada.plan(alone));
    expect((await ada.task("start_planned", { task_id })).data).toEqual({ code: "CHECK_REQUIRED" });
    await ada.check("Another title altogether", { planned_task_id: task_id });
    expect((await ada.task("start_planned", { task_id })).data).toEqual({ code: "CHECK_REQUIRED" });
    const checked = await ada.check(alone, { planned_task_id: task_id });
    expect(checked).toMatchObject({ status: "ok", data: { matches: [] } });
    expect(checked.feedback.required_action).toContain(`start_planned, task_id ${task_id}`);
    house.clock.advance(1_000);
    let started: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      started = await ada.task("start_planned", { task_id });
    });
    expect(started?.data["task"]).toMatchObject({ id: task_id, status: "active", started_at: momentAt(1_000) });
    expect(work).toMatchObject([
      { announced: "task:updated", subject: task_id, data: { from: "planned", to: "active" } },
      { announced: "task.started", subject: task_id, data: { was_planned: true } },
    ]);
  });

  test("[TW7] settles the open warnings about a plan with its start", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const first = await ada.begin(wording);
    const planned = await bob.plan(wording);
    await ada.task("complete", { task_id: first, result_summary: "It retries." });
    const task_id = idOf(planned);
    expect((await bob.check(wording, { planned_task_id: task_id })).status).toBe("ok");
    const { work } = await traceOf(house, () => bob.task("start_planned", { task_id }));
    expect(work).toMatchObject([
      { announced: "task:updated" },
      { announced: "task.started" },
      { announced: "warning.dismissed", subject: planned.data["warning_id"], data: { by_server: true } },
    ]);
  });

  test("[TW8] edits a planned task, and later checks compare what it then says", async () => {
    const house = await open();
    const ada = workerOf(house);
    const task_id = idOf(await ada.plan(alone));
    const edits = {
      title: wording,
      description: "With jitter.",
      scope: "The worker",
      action: "modify",
      component: "worker",
      priority: "low",
      task_type: "bug",
    };
    let edited: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      edited = await ada.task("update", { task_id, ...edits });
    });
    expect(edited).toMatchObject({ status: "ok", data: { task: { status: "planned", ...edits } } });
    expect(work).toMatchObject([
      { announced: "task.planned_updated", subject: task_id, data: { fields: Object.keys(edits) } },
    ]);
    const bob = await newWorker(house, "bob");
    expect(candidateIds(await bob.check(wording))).toEqual([task_id]);
    expect((await bob.check(alone)).data["matches"]).toEqual([]);
  });

  test("[TW8] an edit leaves what it does not name as it was", async () => {
    const house = await open();
    const ada = workerOf(house);
    const task_id = idOf(await ada.plan(alone, { description: "All of it.", component: "web" }));
    const readIntent = () => house.house.store.read((db) => findIntent(db, task_id));
    const declared = await readIntent();
    house.clock.advance(1_000);
    const described = await ada.task("update", { task_id, description: "Half of it." });
    expect(described.data["task"]).toMatchObject({ title: alone, description: "Half of it.", component: "web" });
    expect(await readIntent()).toEqual(declared);
    const renamed = await ada.task("update", { task_id, title: wording });
    expect(renamed.data["task"]).toMatchObject({ title: wording, description: "Half of it.", component: "web" });
  });

  test("[TW9] warns of edits to a started task and changes nothing", async () => {
    const house = await open();
    const ada = workerOf(house);
    const task_id = await ada.begin(alone);
    let answer: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      answer = await ada.task("update", { task_id, title: wording, status: "blocked" });
    });
    expect(answer).toMatchObject({
      status: "warning",
      data: { code: "ALREADY_STARTED", fields: ["title"], task: { title: alone, status: "active" } },
    });
    expect(work).toEqual([]);
    expect(answer?.feedback.required_action).toContain("cancel");
    await ada.task("complete", { task_id, result_summary: "Translated." });
    const closed = await ada.task("update", { task_id, title: wording });
    expect(closed).toMatchObject({ status: "warning", data: { task: { title: alone, status: "done" } } });
    expect(closed.feedback.required_action).not.toContain("cancel");
  });

  test("[TW10] says that a task waits and goes on; twice is once", async () => {
    const house = await open();
    const ada = workerOf(house);
    const task_id = await ada.begin(alone);
    const { work } = await traceOf(house, async () => {
      for (const status of ["blocked", "blocked", "active", "active"]) {
        const answer = await ada.task("update", { task_id, status });
        expect(answer).toMatchObject({ status: "ok", data: { task: { status } } });
        expect(answer.feedback.required_action).toContain(task_id);
      }
    });
    expect(work.map(({ announced, data }) => [announced, data["from"], data["to"]])).toEqual([
      ["task:updated", "active", "blocked"],
      ["task.updated", "active", "blocked"],
      ["task:updated", "blocked", "active"],
      ["task.updated", "blocked", "active"],
    ]);
  });

  test("[TW11, TW14] neither starts a planned task by an update nor reopens a closed one: INVALID_TRANSITION", async () => {
    const house = await open();
    const ada = workerOf(house);
    const planned = idOf(await ada.plan(alone));
    const update = (task_id: string, more: object) =>
      ada.refusal("covibe_task", { operation: "update", task_id, ...more });
    expect(await update(planned, { status: "active" })).toBe("INVALID_TRANSITION");
    expect(await update(planned, { status: "active", title: wording })).toBe("INVALID_TRANSITION");
    expect(await update(planned, {})).toBe("INVALID_INPUT");
    const done = await ada.begin(wording);
    await ada.task("complete", { task_id: done, result_summary: "It retries." });
    for (const status of ["active", "blocked"]) expect(await update(done, { status })).toBe("INVALID_TRANSITION");
    expect((await ada.task("update", { task_id: done, title: alone })).status).toBe("warning");
    expect(await house.call("task_get", { id: done })).toMatchObject({ status: "completed", name: wording });
  });

  test("[TW12] completes a task with its result, once", async () => {
    const house = await open();
    const ada = workerOf(house);
    const task_id = await ada.begin(alone);
    expect(await ada.refusal("covibe_task", { operation: "complete", task_id })).toBe("INVALID_REQUEST");
    expect(await ada.refusal("covibe_task", { operation: "complete", task_id, summary: "Done." })).toBe(
      "INVALID_REQUEST",
    );
    await ada.task("update", { task_id, status: "blocked" });
    const { work } = await traceOf(house, async () => {
      const answer = await ada.task("complete", { task_id, result_summary: "Translated.", summary: "Ignored." });
      expect(answer).toMatchObject({ status: "ok", data: { task: { status: "done", result_summary: "Translated." } } });
    });
    expect(work.map(({ announced }) => announced)).toEqual(["task:updated", "workstream.completed", "task.completed"]);
    const again = await traceOf(house, async () => {
      const answer = await ada.task("complete", { task_id, result_summary: "Once more." });
      expect(answer).toMatchObject({
        status: "warning",
        data: { code: "ALREADY_COMPLETED", task: { result_summary: "Translated." } },
      });
    });
    expect(again.work).toEqual([]);
  });

  test("[TW13, TW16] cancels what is planned, active or blocked, with a reason, once", async () => {
    const house = await open();
    const ada = workerOf(house);
    const planned = idOf(await ada.plan("Paint the lighthouse door red", { target_files: ["a.ts"] }));
    const active = await ada.begin(alone);
    const blocked = await ada.begin(wording);
    await ada.task("update", { task_id: blocked, status: "blocked" });
    for (const task_id of [planned, active, blocked]) {
      expect(await ada.refusal("covibe_task", { operation: "cancel", task_id })).toBe("INVALID_REQUEST");
      const { work } = await traceOf(house, () => ada.task("cancel", { task_id, reason: "Not wanted." }));
      expect(work.at(-1)).toMatchObject({
        announced: "task.cancelled",
        subject: task_id,
        data: { reason: "Not wanted." },
      });
      const again = await traceOf(house, async () => {
        expect((await ada.task("cancel", { task_id, reason: "Again." })).data["code"]).toBe("ALREADY_CANCELLED");
      });
      expect(again.work).toEqual([]);
    }
    const marks = await house.house.store.read((db) => db.all(db.q.selectFrom("fileMark").selectAll()));
    expect(marks).toEqual([]);
  });

  test("[TW14] refuses what the state does not allow: INVALID_STATE, INVALID_TRANSITION", async () => {
    const house = await open();
    const ada = workerOf(house);
    const planned = idOf(await ada.plan(alone));
    const end = { operation: "complete", result_summary: "Done." };
    expect(await ada.refusal("covibe_task", { ...end, task_id: planned })).toBe("INVALID_TRANSITION");
    const active = await ada.begin(wording);
    expect(await ada.refusal("covibe_task", { operation: "start_planned", task_id: active })).toBe("INVALID_STATE");
    const recheck = { operation: "check", title: wording, task_type: "bug", planned_task_id: active };
    expect(await ada.refusal("covibe_task", recheck)).toBe("INVALID_STATE");
    await ada.task("complete", { task_id: active, result_summary: "Done." });
    const cancel = { operation: "cancel", task_id: active, reason: "No." };
    expect(await ada.refusal("covibe_task", cancel)).toBe("INVALID_TRANSITION");
    const failed = await ada.begin("Paint the lighthouse door red");
    await house.call("task_update_status", { id: failed, status: "failed", error: "No paint." });
    expect(await house.reply("covibe_task", { ...end, task_id: failed })).toMatchObject({
      failure: { code: "INVALID_TRANSITION", hint: expect.stringContaining("task_replan") },
    });
  });

  test("[TW15] does not start what waits for others: TASK_BLOCKED", async () => {
    const house = await open();
    const ada = workerOf(house);
    const { id } = await house.call<{ id: string }>("workflow_create", {
      name: "Two",
      source_type: "prompt",
      source_content: "Do it.",
    });
    const tasks = [
      { name: "Dig the foundation of the pier", description: "Deep.", sequence: 1 },
      { name: alone, description: "After.", sequence: 2, depends_on: ["Dig the foundation of the pier"] },
    ];
    await house.call("workflow_set_plan", { id, plan: { summary: "Two", approach: "In order", tasks } });
    const found = await house.call<{ tasks: { id: string; name: string }[] }>("workflow_get", {
      id,
      include_tasks: true,
    });
    const task_id = found.tasks.find(({ name }) => name === alone)?.id;
    await ada.check(alone, { planned_task_id: task_id });
    expect(await ada.refusal("covibe_task", { operation: "start_planned", task_id })).toBe("TASK_BLOCKED");
  });

  test("[TW16] takes fifty files inside the repository, and no other paths", async () => {
    const house = await open();
    const ada = workerOf(house);
    const files = Array.from({ length: 50 }, (_, at) => `src/${at}.ts`);
    expect((await ada.check(alone, { target_files: files })).status).toBe("ok");
    const check = (target_files: string[]) =>
      ada.refusal("covibe_task", { operation: "check", title: alone, task_type: "docs", target_files });
    for (const paths of [[...files, "one/more.ts"], ["/etc/passwd"], ["../up.ts"], ["a/../../b"], ["C:\\a"], [""]]) {
      expect(await check(paths)).toBe("INVALID_REQUEST");
    }
  });

  test("[TW3] refuses unknown records and ended sessions: TASK_NOT_FOUND, WORKFLOW_NOT_FOUND, SESSION_NOT_FOUND", async () => {
    const house = await open();
    const ada = workerOf(house);
    const about = { title: alone, task_type: "feature" };
    const unknown = [
      { operation: "check", ...about, planned_task_id: "tk_0" },
      { operation: "start_planned", task_id: "tk_0" },
      { operation: "update", task_id: "tk_0", status: "active" },
      { operation: "complete", task_id: "tk_0", result_summary: "Done." },
      { operation: "cancel", task_id: "tk_0", reason: "No." },
    ];
    for (const args of unknown) expect(await ada.refusal("covibe_task", args)).toBe("TASK_NOT_FOUND");
    for (const operation of ["plan", "start"]) {
      const args = { operation, ...about, workstream_id: "wf_0" };
      expect(await ada.refusal("covibe_task", args)).toBe("WORKFLOW_NOT_FOUND");
    }
    const task_id = await ada.begin(wording);
    const planned = idOf(await ada.plan("Paint the lighthouse door red"));
    const session = await ada.inSession();
    await session.call("covibe_session", { operation: "end" });
    const calls = [
      { operation: "check", ...about },
      { operation: "plan", ...about },
      { operation: "start", ...about },
      { operation: "start_planned", task_id: planned },
      { operation: "update", task_id, status: "blocked" },
      { operation: "complete", task_id, result_summary: "Done." },
      { operation: "cancel", task_id, reason: "No." },
    ];
    const { work } = await traceOf(house, async () => {
      for (const args of calls) {
        expect(await session.refusal("covibe_task", args), args.operation).toBe("INVALID_STATE");
        const nowhere = { ...args, session_id: "ag_0" };
        expect(await ada.refusal("covibe_task", nowhere), args.operation).toBe("SESSION_NOT_FOUND");
      }
    });
    expect(work).toEqual([]);
  });

  test("[TW3] refuses another developer's task on every operation: FORBIDDEN", async () => {
    const house = await open();
    const ada = workerOf(house);
    const bob = await newWorker(house, "bob");
    const [task_id, planned] = [await ada.begin(wording), idOf(await ada.plan(alone))];
    const calls = [
      { operation: "check", title: alone, task_type: "docs", planned_task_id: planned },
      { operation: "start_planned", task_id: planned },
      { operation: "update", task_id: planned, title: "Mine now" },
      { operation: "update", task_id, status: "blocked" },
      { operation: "complete", task_id, result_summary: "Done." },
      { operation: "cancel", task_id: planned, reason: "No." },
    ];
    const { work } = await traceOf(house, async () => {
      for (const args of calls) expect(await bob.refusal("covibe_task", args), args.operation).toBe("FORBIDDEN");
    });
    expect(work).toEqual([]);
  });
});
