import { describe, expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { taskStatuses } from "../../src/tools/workflow/voice/words.ts";
import { nestedTo } from "../domain/nested.ts";
import { forEachStillStore, momentAt, openStillHouse, traceOf, usedWell } from "../domain/still-house.ts";
import { bring, claim, hintOf, oneTask, planned, statusOf } from "./work.ts";

/** Every legal step; whatever is not here is refused. Nothing can be set to blocked, and what is blocked goes nowhere. */
const legal: Record<string, readonly string[]> = {
  pending: ["planning"],
  planning: ["in_progress", "completed"],
  in_progress: ["completed", "paused", "failed"],
  paused: ["in_progress"],
  failed: ["pending", "skipped"],
  blocked: [],
  completed: [],
  skipped: [],
};

async function taskIn(house: TestHouse, status: string): Promise<string> {
  if (status === "blocked") {
    const { task } = await planned(house, [{ name: "first" }, { name: "then", depends_on: ["first"] }]);
    return task("then");
  }
  const id = await oneTask(house);
  await bring(house, id, status);
  return id;
}

const words = { outcome: "It works.", error: "It broke." };

describe("steps of a task", () => {
  test("[TK1] the table speaks of every status", () => {
    expect(Object.keys(legal).sort()).toEqual([...taskStatuses].sort());
  });

  for (const from of taskStatuses) {
    test(`[TK1, TK2, TK3] from ${from} the table's steps are taken, all others are refused and say which are legal`, async () => {
      const house = await openStillHouse("sqlite");
      for (const to of taskStatuses) {
        const id = await taskIn(house, from);
        const before = await house.call("task_get", { id });
        const reply = await house.reply("task_update_status", { id, status: to, ...words });
        if (legal[from]?.includes(to)) {
          expect(reply).toMatchObject({ ok: true, value: { success: true } });
          expect(await statusOf(house, id)).toBe(to);
          continue;
        }
        const isWaiting = from === "blocked" && to === "planning";
        const failure = isWaiting
          ? { code: "TASK_BLOCKED", blocked_by: ["first"] }
          : { code: "INVALID_TRANSITION", from, to, allowed: legal[from], hint: hintOf(legal[from]) };
        expect(reply).toMatchObject({ ok: false, failure });
        expect(await house.call("task_get", { id })).toEqual(before);
      }
    });
  }
});

forEachStillStore("a task's life", (open) => {
  test("[TK1] a step is recorded once, with where it came from and where it went", async () => {
    const house = await open();
    const { id: workflowId, task } = await planned(house, [{ name: "a" }]);
    const id = task("a");
    const trace = await traceOf(house, () => house.call("task_update_status", { id, status: "planning" }));
    expect(trace).toEqual({
      work: [
        {
          kind: "task.statusChanged",
          announced: "task:updated",
          subject: id,
          channels: [`task:${id}`, `workflow:${workflowId}`],
          data: { workflow_id: workflowId, from: "planned", to: "preparing" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("task_update_status")],
    });
  });

  test("[TK4] completed needs an outcome and failed an error", async () => {
    const house = await open();
    const id = await oneTask(house);
    await bring(house, id, "in_progress");
    for (const [status, code] of [
      ["completed", "MISSING_OUTCOME"],
      ["failed", "MISSING_ERROR"],
    ] as const) {
      const trace = await traceOf(house, async () => {
        const other = status === "completed" ? { error: "No." } : { outcome: "Yes." };
        expect(await house.refusal("task_update_status", { id, status, ...other })).toBe(code);
      });
      expect(trace.work).toEqual([]);
    }
    for (const blank of ["", " \n"]) {
      const refusal = (ask: object) => house.refusal("task_update_status", { id, ...ask });
      expect(await refusal({ status: "completed", outcome: blank })).toBe("MISSING_OUTCOME");
      expect(await refusal({ status: "failed", error: blank })).toBe("MISSING_ERROR");
    }
    expect(await statusOf(house, id)).toBe("in_progress");
  });

  test("[TK5] what waits can begin once everything before it is completed or skipped, and not earlier", async () => {
    const house = await open();
    const { task } = await planned(house, [
      { name: "a" },
      { name: "b" },
      { name: "c", depends_on: ["a", "b"] },
      { name: "d", depends_on: ["c"] },
    ]);
    const begin = (name: string) => house.reply("task_update_status", { id: task(name), status: "planning" });
    expect(await begin("c")).toMatchObject({
      ok: false,
      failure: { code: "TASK_BLOCKED", message: "2 tasks it depends on are not finished.", blocked_by: ["a", "b"] },
    });
    await bring(house, task("a"), "completed");
    await bring(house, task("b"), "failed");
    expect(await begin("c")).toMatchObject({ ok: false, failure: { code: "TASK_BLOCKED", blocked_by: ["b"] } });
    await house.call("task_update_status", { id: task("b"), status: "skipped" });
    expect(await statusOf(house, task("c"))).toBe("pending");
    expect(await statusOf(house, task("d"))).toBe("blocked");
    expect(await begin("c")).toMatchObject({ ok: true });
  });

  test("[TK6] a task knows when it was begun and when it ended, and forgets the end when it is tried again", async () => {
    const house = await open();
    const id = await oneTask(house);
    const times = async () => {
      const { started_at, completed_at, updated_at } = await house.call("task_get", { id });
      return [started_at, completed_at, updated_at];
    };
    house.clock.advance(1);
    await bring(house, id, "planning");
    expect(await times()).toEqual([null, null, momentAt(1)]);
    house.clock.advance(1);
    await house.call("task_update_status", { id, status: "in_progress" });
    house.clock.advance(1);
    await house.call("task_update_status", { id, status: "paused" });
    await house.call("task_update_status", { id, status: "in_progress" });
    expect(await times()).toEqual([momentAt(2), null, momentAt(3)]);
    house.clock.advance(1);
    await house.call("task_update_status", { id, status: "failed", error: "No." });
    expect(await times()).toEqual([momentAt(2), momentAt(4), momentAt(4)]);
    house.clock.advance(1);
    await house.call("task_update_status", { id, status: "pending" });
    expect(await times()).toEqual([momentAt(2), null, momentAt(5)]);
  });

  test("[TK7] a completed task keeps the name of who did it, a failed one is free, and both free the agent", async () => {
    const house = await open();
    const agent = await house.agent("Ada");
    for (const [status, holder] of [
      ["completed", agent],
      ["failed", null],
    ] as const) {
      const id = await oneTask(house);
      await claim(house, id, agent);
      await bring(house, id, "in_progress");
      const more = status === "completed" ? { outcome: "Yes." } : { error: "No." };
      const events = await house.eventsOf(() => house.call("task_update_status", { id, status, ...more }));
      expect(events).toEqual(["task.statusChanged", "agent.updated"]);
      expect(await house.call("task_get", { id })).toMatchObject({ claimed_by: holder });
      expect(await house.call("agent_get", { id: agent })).toMatchObject({ status: "online", current_task_id: null });
    }
  });

  test("[TK7] an agent that has turned to another task stays busy with it", async () => {
    const house = await open();
    const agent = await house.agent("Ada");
    const [first, second] = [await oneTask(house), await oneTask(house)];
    await claim(house, first, agent);
    await bring(house, first, "in_progress");
    await claim(house, second, agent);
    const done = { id: first, status: "completed", outcome: "Yes." };
    expect(await house.eventsOf(() => house.call("task_update_status", done))).toEqual(["task.statusChanged"]);
    expect(await house.call("agent_get", { id: agent })).toMatchObject({ status: "busy", current_task_id: second });
  });

  test("[TK8] trying again forgets what came of the last try", async () => {
    const house = await open();
    const id = await oneTask(house);
    await bring(house, id, "in_progress");
    const failed = { status: "failed", error: "No.", outcome: "Half of it.", outcome_detail: { half: true } };
    await house.call("task_update_status", { id, ...failed });
    expect(await house.call("task_get", { id })).toMatchObject(failed);
    await house.call("task_update_status", { id, status: "pending" });
    expect(await house.call("task_get", { id })).toMatchObject({
      status: "pending",
      error: null,
      outcome: null,
      outcome_detail: null,
    });
  });

  test("[TK9] task_update_status keeps a detail as it came, and refuses one beyond 64 KiB or 64 levels with TOO_LARGE", async () => {
    const house = await open();
    const id = await oneTask(house);
    await bring(house, id, "in_progress");
    const done = { id, status: "completed", outcome: "Yes." };
    for (const outcome_detail of [{ huge: "x".repeat(65_536) }, nestedTo(65), nestedTo(5_000)]) {
      expect(await house.refusal("task_update_status", { ...done, outcome_detail })).toBe("TOO_LARGE");
    }
    const outcome_detail = { text: "ü🎉", list: [1, null, { deep: true }], constructor: "plain" };
    await house.call("task_update_status", { ...done, outcome_detail });
    expect(await house.call("task_get", { id })).toMatchObject({ outcome_detail });
  });
});
