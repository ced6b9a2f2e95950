import { expect, test } from "vitest";
import { nestedTo } from "../domain/nested.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { bring, claim, oneTask, planned } from "./work.ts";

const plan = {
  approach: "Test first",
  steps: ["Test", "Code"],
  files_to_modify: ["src/a.ts"],
  files_to_create: ["src/b.ts"],
  context_needed: ["the issue"],
};

forEachStillStore("a task's plan", (open) => {
  test("[TK10] a plan is kept as it came and recorded, without changing the status", async () => {
    const house = await open();
    const { id: workflowId, task } = await planned(house, [{ name: "a" }]);
    const id = task("a");
    house.clock.advance(3);
    const trace = await traceOf(house, async () => {
      expect(await house.call("task_set_plan", { id, plan })).toEqual({ success: true });
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "task.planSet",
          announced: "task:updated",
          subject: id,
          channels: [`task:${id}`, `workflow:${workflowId}`],
          data: { workflow_id: workflowId, status: "planned" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("task_set_plan")],
    });
    expect(await house.call("task_get", { id })).toMatchObject({ plan, status: "pending", updated_at: momentAt(3) });
    await house.call("task_set_plan", { id, plan: { approach: "Other", steps: [] } });
    expect((await house.call("task_get", { id }))["plan"]).toEqual({ approach: "Other", steps: [] });
  });

  test("[TK10] context is merged key by key and bounded as a whole", async () => {
    const house = await open();
    const id = await oneTask(house);
    const set = (context: Record<string, unknown>) => house.reply("task_set_plan", { id, plan, context });
    await set({ kept: { deep: [1] }, replaced: 1 });
    await set({ replaced: { by: "this" }, added: "ü🎉" });
    const context = { kept: { deep: [1] }, replaced: { by: "this" }, added: "ü🎉" };
    expect(await house.call("task_get", { id })).toMatchObject({ context });
    const tooLarge = { ok: false, failure: { code: "TOO_LARGE" } };
    expect(await set({ huge: "x".repeat(262_144) })).toMatchObject(tooLarge);
    expect(await set(nestedTo(65))).toMatchObject(tooLarge);
    expect(await set({ half: "x".repeat(200_000) })).toMatchObject({ ok: true });
    expect(await set({ other: "x".repeat(100_000) })).toMatchObject(tooLarge);
  });

  for (const status of ["pending", "planning", "in_progress", "paused", "failed"]) {
    test(`[TK10] a task that is ${status} can be planned`, async () => {
      const house = await open();
      const id = await oneTask(house);
      await bring(house, id, status);
      await house.call("task_set_plan", { id, plan });
      expect(await house.call("task_get", { id })).toMatchObject({ status, plan });
    });
  }

  for (const status of ["completed", "skipped"]) {
    test(`[TK11] task_set_plan of a ${status} task is refused with INVALID_STATE`, async () => {
      const house = await open();
      const id = await oneTask(house);
      await bring(house, id, status);
      const trace = await traceOf(house, async () => {
        expect(await house.refusal("task_set_plan", { id, plan })).toBe("INVALID_STATE");
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("task_set_plan", "INVALID_STATE")] });
    });
  }

  const newPlan = { approach: "By hand", steps: ["Write it"] };

  for (const status of ["in_progress", "failed"]) {
    test(`[TK12] a task that is ${status} starts over with another plan`, async () => {
      const house = await open();
      const { id: workflowId, task } = await planned(house, [{ name: "a" }]);
      const id = task("a");
      await house.call("task_set_plan", { id, plan, context: { ticket: 7 } });
      await bring(house, id, status);
      let reply: Record<string, unknown> = {};
      const trace = await traceOf(house, async () => {
        reply = await house.call("task_replan", { id, reason: "The library is gone", new_plan: newPlan });
      });
      const note = String(reply["checkpoint_id"]);
      expect(reply).toEqual({ success: true, checkpoint_id: expect.stringMatching(/^cp_/) });
      const from = status === "failed" ? "failed" : "active";
      const by = { developerId: house.owner.developerId };
      expect(trace.work).toEqual([
        {
          kind: "task.replanned",
          announced: "task:updated",
          subject: id,
          channels: [`task:${id}`, `workflow:${workflowId}`],
          data: { workflow_id: workflowId, from, to: "planned" },
          ...by,
        },
        {
          kind: "note.added",
          announced: "note:created",
          subject: note,
          channels: [`note:${note}`, `task:${id}`, `workflow:${workflowId}`],
          data: { workflow_id: workflowId, task_id: id, kind: "replan", sequence: 1 },
          ...by,
        },
      ]);
      expect(await house.call("task_get", { id })).toMatchObject({
        status: "pending",
        plan: newPlan,
        context: { ticket: 7 },
        outcome: null,
        outcome_detail: null,
        error: null,
        started_at: null,
        completed_at: null,
      });
    });
  }

  for (const status of ["pending", "planning", "paused", "completed", "skipped"]) {
    test(`[TK12] task_replan of a task that is ${status} is refused with INVALID_TRANSITION`, async () => {
      const house = await open();
      const id = await oneTask(house);
      await bring(house, id, status);
      const trace = await traceOf(house, async () => {
        const reply = await house.reply("task_replan", { id, reason: "Why not", new_plan: newPlan });
        expect(reply).toMatchObject({
          ok: false,
          failure: { code: "INVALID_TRANSITION", from: status, to: "pending" },
        });
      });
      expect(trace.work).toEqual([]);
    });
  }

  test("[TK12] whoever holds a task goes on holding it under its new plan", async () => {
    const house = await open();
    const [id, agent] = [await oneTask(house), await house.agent("Ada")];
    const { fence } = await claim(house, id, agent);
    await bring(house, id, "in_progress");
    await house.call("task_replan", { id, reason: "Better idea", new_plan: newPlan, fence });
    expect(await house.call("task_get", { id })).toMatchObject({ status: "pending", claimed_by: agent, fence });
  });
});
