import { describe, expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { workflowStatuses } from "../../src/tools/workflow/voice/words.ts";
import { forEachStillStore, momentAt, openStillHouse, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { bring, hintOf, newWorkflow, planned } from "./work.ts";

/** Every legal step; whatever is not here is refused. */
const legal: Record<string, readonly string[]> = {
  planning: ["ready", "abandoned"],
  ready: ["in_progress", "abandoned"],
  in_progress: ["paused", "completed", "failed", "abandoned", "awaiting_merge"],
  paused: ["in_progress", "abandoned"],
  awaiting_merge: ["completed", "abandoned"],
  failed: ["in_progress"],
  completed: [],
  abandoned: [],
};

const ways: Record<string, readonly string[]> = {
  planning: [],
  ready: ["ready"],
  in_progress: ["ready", "in_progress"],
  paused: ["ready", "in_progress", "paused"],
  awaiting_merge: ["ready", "in_progress", "awaiting_merge"],
  failed: ["ready", "in_progress", "failed"],
  completed: ["ready", "in_progress", "completed"],
  abandoned: ["abandoned"],
};

async function workflowIn(house: TestHouse, status: string): Promise<string> {
  const id = await newWorkflow(house);
  for (const step of ways[status] ?? []) await house.call("workflow_update_status", { id, status: step });
  return id;
}

describe("steps of a workflow", () => {
  test("[WF14] the table speaks of every status", () => {
    expect(Object.keys(legal).sort()).toEqual([...workflowStatuses].sort());
  });

  for (const from of workflowStatuses) {
    test(`[WF14, WF15] from ${from} the table's steps are taken, all others are refused and say which are legal`, async () => {
      const house = await openStillHouse("sqlite");
      for (const to of workflowStatuses) {
        const id = await workflowIn(house, from);
        const reply = await house.reply("workflow_update_status", { id, status: to });
        if (legal[from]?.includes(to)) {
          expect(reply).toMatchObject({ ok: true, value: { success: true } });
          expect(await house.call("workflow_get", { id })).toMatchObject({ status: to });
        } else {
          const hint = hintOf(legal[from]);
          const failure = { code: "INVALID_TRANSITION", from, to, allowed: legal[from], hint };
          expect(reply).toMatchObject({ ok: false, failure });
          expect(await house.call("workflow_get", { id })).toMatchObject({ status: from });
        }
      }
    });
  }
});

forEachStillStore("steering a workflow", (open) => {
  test("[WF17] a step is recorded and keeps its reason until the next", async () => {
    const house = await open();
    const { id } = await planned(house, [{ name: "a" }]);
    house.clock.advance(9);
    const trace = await traceOf(house, () =>
      house.call("workflow_update_status", { id, status: "in_progress", reason: "All is ready." }),
    );
    expect(trace).toEqual({
      work: [
        {
          kind: "workflow.statusChanged",
          announced: "workflow:status",
          subject: id,
          channels: [`workflow:${id}`],
          data: { from: "preparing", to: "active" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("workflow_update_status")],
    });
    expect(await house.call("workflow_get", { id })).toMatchObject({
      status: "in_progress",
      status_reason: "All is ready.",
      updated_at: momentAt(9),
    });
    await house.call("workflow_update_status", { id, status: "paused" });
    expect(await house.call("workflow_get", { id })).toMatchObject({ status: "paused", status_reason: null });
  });

  test("[WF16] its tasks never move a workflow: only its owner does", async () => {
    const house = await open();
    const { id, task } = await planned(house, [{ name: "a" }]);
    await bring(house, task("a"), "completed");
    expect(await house.call("workflow_get", { id })).toMatchObject({ status: "ready" });
    const { caller: bob } = await house.developer("bob");
    const trace = await traceOf(house, async () => {
      const args = { id, status: "in_progress" };
      expect(await house.refusal("workflow_update_status", args, bob)).toBe("FORBIDDEN");
    });
    expect(trace).toEqual({ work: [], usage: [wasRefused("workflow_update_status", "FORBIDDEN")] });
  });

  test("[WF18] parallelism is set by the owner at any time, worktrees only where named", async () => {
    const house = await open();
    const id = await newWorkflow(house, { auto_create_workspaces: true });
    const trace = await traceOf(house, () => house.call("workflow_set_parallelism", { id, max_parallel_tasks: 5 }));
    expect(trace).toEqual({
      work: [
        {
          kind: "workflow.parallelismSet",
          announced: "workflow:updated",
          subject: id,
          channels: [`workflow:${id}`],
          data: { max_parallel_tasks: 5 },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("workflow_set_parallelism")],
    });
    const five = { max_parallel_tasks: 5, auto_create_workspaces: true };
    expect(await house.call("workflow_get", { id })).toMatchObject(five);
    await house.call("workflow_set_parallelism", { id, max_parallel_tasks: 1, auto_create_workspaces: false });
    const one = { max_parallel_tasks: 1, auto_create_workspaces: false };
    expect(await house.call("workflow_get", { id })).toMatchObject(one);
    const { caller: bob } = await house.developer("bob");
    expect(await house.refusal("workflow_set_parallelism", { id, max_parallel_tasks: 2 }, bob)).toBe("FORBIDDEN");
    expect(await house.refusal("workflow_set_parallelism", { id, max_parallel_tasks: 0 })).toBe("INVALID_REQUEST");
  });
});
