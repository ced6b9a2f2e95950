import { expect, test } from "vitest";
import { WarningId } from "../../src/contract/ids.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { type Answer, candidateIds, idOf, judgeAll, newWorker, type Worker, wording, workerOf } from "./work-scene.ts";

const codeOf = (answer: Answer) => answer.data["code"];
const reason = "I have read both and compared them.";

interface Scene {
  readonly house: TestHouse;
  readonly ada: Worker;
  readonly bob: Worker;
  /** Ada's task that is like what Bob wants. */
  readonly taskId: string;
  readonly checked: Answer;
}

forEachStillStore("a verdict", (open) => {
  async function enter(): Promise<Scene> {
    const house = await open();
    const [ada, bob] = [workerOf(house), await newWorker(house, "bob")];
    const taskId = await ada.begin(wording);
    return { house, ada, bob, taskId, checked: await bob.check(wording) };
  }

  test("[GA17] is needed for each open candidate exactly once", async () => {
    const { bob, taskId, checked } = await enter();
    const check_id = checked.data["check_id"];
    const judged = { candidate_id: taskId, verdict: "different_scope", reason };
    const wrong: Record<string, unknown>[] = [
      {},
      { check_id },
      { check_id, scope_verdict: [] },
      { check_id, scope_verdict: [judged, judged] },
      { check_id, scope_verdict: [judged, { ...judged, candidate_id: "tk_other" }] },
      { check_id, warning_id: checked.data["warning_id"], confirmation_reason: "Both are wanted." },
    ];
    for (const keys of wrong) {
      const blocked = await bob.start(wording, keys);
      expect(blocked).toMatchObject({ status: "blocked", feedback: { type: "block" } });
      expect(blocked.data).toMatchObject({
        code: "VERDICT_REQUIRED",
        check_id,
        warning_id: checked.data["warning_id"],
        requires_verdict: true,
        candidates: [{ id: taskId }],
        matches: [{ id: taskId }],
      });
    }
    expect((await bob.start(wording, { check_id, scope_verdict: [judged] })).status).toBe("ok");
  });

  test("[GA37] counts only with the check it belongs to", async () => {
    const { bob, checked } = await enter();
    const { check_id, ...verdict } = judgeAll(checked);
    const blocked = await bob.start(wording, verdict);
    expect(blocked).toMatchObject({
      status: "blocked",
      message: "The verdict does not name the check it belongs to.",
      data: { code: "VERDICT_REQUIRED", check_id },
    });
    expect((await bob.start(wording, { check_id, ...verdict })).status).toBe("ok");
  });

  test("[GA18] has a reason of at least ten characters", async () => {
    const { bob, taskId, checked } = await enter();
    const keys = (text: string) => ({
      check_id: checked.data["check_id"],
      scope_verdict: [{ candidate_id: taskId, verdict: "partial", reason: text }],
    });
    const args = { operation: "start", title: wording, task_type: "bug" };
    expect(await bob.refusal("covibe_task", { ...args, ...keys("too short") })).toBe("INVALID_REQUEST");
    expect(await bob.refusal("covibe_task", { ...args, ...keys("   padded     ") })).toBe("INVALID_REQUEST");
    expect((await bob.start(wording, keys("long enoug"))).status).toBe("ok");
  });

  test("[GA19, GA20] that it is the same work needs a reason, and is kept with the figures behind it", async () => {
    const { house, bob, taskId, checked } = await enter();
    const same = judgeAll(checked, "same_scope");
    const blocked = await bob.start(wording, same);
    expect(blocked.data).toMatchObject({ code: "DUPLICATE_CONFIRMATION_REQUIRED", candidates: [{ id: taskId }] });

    let started: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      started = await bob.start(wording, { ...same, confirmation_reason: "Ada is on leave." });
    });
    const newId = idOf(started as Answer);
    expect(started?.data).toMatchObject({ warning_id: checked.data["warning_id"], warning_status: "judged" });
    expect(work.map(({ announced, subject }) => [announced, subject])).toEqual([
      ["task:created", newId],
      ["workstream.auto_created", started?.data["workstream_id"]],
      ["task.started", newId],
      ["scope.judged", newId],
    ]);
    expect(work[3]?.data).toEqual({
      check_id: checked.data["check_id"],
      duplicate: true,
      verdicts: [{ candidate_id: taskId, verdict: "same_scope" }],
      confirmation_reason: "Ada is on leave.",
    });
    const verdicts = await house.house.store.read((db) => db.all(db.q.selectFrom("verdict").selectAll()));
    expect(verdicts).toMatchObject([
      { checkId: checked.data["check_id"], candidateId: taskId, verdict: "same_scope", reason },
    ]);
    expect(JSON.parse(verdicts[0]?.features ?? "{}")).toMatchObject({
      model: expect.any(String),
      identicalTitle: 1,
    });
    expect(await statusOf(house, checked)).toBe("judged");
  });

  test("[GA20] that it is other work needs nothing more", async () => {
    const { house, bob, checked } = await enter();
    const { work } = await traceOf(house, () => bob.start(wording, judgeAll(checked)));
    expect(work.at(-1)).toMatchObject({ announced: "scope.judged", data: { duplicate: false } });
  });

  test("[GA21] can be replaced by the older confirmation of the newest warning", async () => {
    const { house, bob, checked } = await enter();
    const newest = await bob.check(wording);
    const confirmation_reason = "Both are wanted.";
    const old = await bob.start(wording, { warning_id: checked.data["warning_id"], confirmation_reason });
    expect(old.data).toMatchObject({ code: "VERDICT_REQUIRED", warning_id: newest.data["warning_id"] });
    expect(codeOf(await bob.start(wording, { warning_id: newest.data["warning_id"] }))).toBe("VERDICT_REQUIRED");

    let started: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      started = await bob.start(wording, { warning_id: newest.data["warning_id"], confirmation_reason });
    });
    expect(started?.data).toMatchObject({ warning_status: "confirmed" });
    expect(work.at(-1)).toMatchObject({
      announced: "warning.confirmed",
      subject: newest.data["warning_id"],
      data: { subject_id: idOf(started as Answer), reason: confirmation_reason },
    });
    expect(work.filter(({ announced }) => announced === "scope.judged")).toEqual([]);
  });

  test("[GA22] is not needed once everything is closed, and the warning goes by itself", async () => {
    const { house, ada, bob, taskId, checked } = await enter();
    await ada.task("complete", { task_id: taskId, result_summary: "It retries." });
    let started: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      started = await bob.start(wording);
    });
    expect(started).toMatchObject({ status: "ok", data: { warning_status: "dismissed" } });
    expect(work.at(-1)).toMatchObject({
      announced: "warning.dismissed",
      subject: checked.data["warning_id"],
      data: { by_server: true },
    });
    expect(await statusOf(house, checked)).toBe("dismissed");
  });

  test("[GA23] is needed for what is still open only", async () => {
    const { house, ada, bob, taskId } = await enter();
    const carol = await newWorker(house, "carol");
    const hers = idOf(await carol.start(wording, judgeAll(await carol.check(wording))));
    const checked = await bob.check(wording);
    expect(candidateIds(checked).sort()).toEqual([taskId, hers].sort());
    await ada.task("cancel", { task_id: taskId, reason: "Carol has it." });
    const blocked = await bob.start(wording, { check_id: checked.data["check_id"] });
    expect(candidateIds(blocked)).toEqual([hers]);
    expect((await bob.start(wording, judgeAll(blocked))).status).toBe("ok");
  });
});

forEachStillStore("a start after the check", (open) => {
  test("[GA24] is blocked by what has come up since, with the new candidates alone", async () => {
    const house = await open();
    const [ada, bob] = [workerOf(house), await newWorker(house, "bob")];
    const clean = await bob.check(wording);
    const taskId = await ada.begin(wording);
    let blocked: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      blocked = await bob.start(wording, { check_id: clean.data["check_id"] });
    });
    expect(blocked).toMatchObject({
      status: "blocked",
      message: "Since the check, work began that may be the same.",
      data: { code: "VERDICT_REQUIRED", candidates: [{ id: taskId }] },
    });
    const check_id = blocked?.data["check_id"];
    expect(check_id).not.toBe(clean.data["check_id"]);
    expect(work).toMatchObject([{ announced: "task.checked", subject: check_id, data: { candidate_ids: [taskId] } }]);
    expect((await bob.start(wording, judgeAll(blocked as Answer))).status).toBe("ok");
  });

  test("[GA24, GA25] of planned work is compared again too, and is asked only about what is new", async () => {
    const house = await open();
    const [ada, bob, carol] = [workerOf(house), await newWorker(house, "bob"), await newWorker(house, "carol")];
    const first = await ada.begin(wording);
    const task_id = idOf(await bob.plan(wording));
    const checked = await bob.check(wording, { planned_task_id: task_id });
    expect(candidateIds(checked)).toEqual([first]);
    const second = idOf(await carol.start(wording, judgeAll(await carol.check(wording))));
    // Her check asked about his plan as well.
    expect(second).toMatch(/^tk_/);

    const blocked = await bob.task("start_planned", { task_id, ...judgeAll(checked) });
    expect(blocked.data).toMatchObject({ code: "VERDICT_REQUIRED" });
    expect(candidateIds(blocked)).toEqual([second]);

    let started: Answer | undefined;
    const { work } = await traceOf(house, async () => {
      started = await bob.task("start_planned", { task_id, ...judgeAll(blocked, "partial") });
    });
    expect(started?.status).toBe("ok");
    expect(work.find(({ announced }) => announced === "scope.judged")?.data["verdicts"]).toEqual([
      { candidate_id: first, verdict: "different_scope" },
      { candidate_id: second, verdict: "partial" },
    ]);
    const warnings = await house.house.store.read((db) =>
      db.all(db.q.selectFrom("warning").select("status").where("developerId", "=", bob.caller.developerId)),
    );
    expect(warnings.map(({ status }) => status)).toEqual(["judged", "judged", "judged"]);
  });

  test("[GA25] that finds less than the check goes through", async () => {
    const house = await open();
    const [ada, bob, carol] = [workerOf(house), await newWorker(house, "bob"), await newWorker(house, "carol")];
    const first = await ada.begin(wording);
    await carol.start(wording, judgeAll(await carol.check(wording)));
    const checked = await bob.check(wording);
    await ada.task("complete", { task_id: first, result_summary: "It retries." });
    expect((await bob.start(wording, judgeAll(checked))).status).toBe("ok");
  });
});

async function statusOf(house: TestHouse, { data }: Answer): Promise<string | undefined> {
  const row = await house.house.store.read((db) =>
    db.first(db.q.selectFrom("warning").select("status").where("id", "=", WarningId.parse(data["warning_id"]))),
  );
  return row?.status;
}
