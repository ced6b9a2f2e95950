import { describe, expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, traceOf } from "../domain/still-house.ts";
import { bring, claim, oneTask } from "./work.ts";

const plan = { approach: "Any", steps: [] };

/** Every way to write to a task that is in progress, changed back where it moves. */
const writes: { tool: string; args: (id: string) => Record<string, unknown> }[] = [
  { tool: "task_set_plan", args: (id) => ({ id, plan }) },
  { tool: "checkpoint_add", args: (task_id) => ({ task_id, type: "progress", summary: "On." }) },
  { tool: "task_update_status", args: (id) => ({ id, status: "paused" }) },
  { tool: "task_replan", args: (id) => ({ id, reason: "Better", new_plan: plan }) },
];

async function inHand(house: TestHouse, holder: Caller): Promise<{ id: string; fence: number; agent: string }> {
  const id = await oneTask(house);
  const agent = await house.agent("Holder", holder);
  const { fence = 0 } = await claim(house, id, agent, holder);
  await bring(house, id, "in_progress", holder);
  return { id, fence, agent };
}

forEachStillStore("who may write to a task", (open) => {
  for (const { tool, args } of writes) {
    test(`[TK13] ${tool}: its holder's developer may, the workflow's owner and others get FORBIDDEN`, async () => {
      const house = await open();
      const { caller: bob } = await house.developer("bob");
      const { caller: eve } = await house.developer("eve");
      const { id } = await inHand(house, bob);
      const trace = await traceOf(house, async () => {
        expect(await house.refusal(tool, args(id))).toBe("FORBIDDEN");
        expect(await house.refusal(tool, args(id), eve)).toBe("FORBIDDEN");
      });
      expect(trace.work).toEqual([]);
      expect(trace.usage.every((entry) => entry["outcome"] === "refused")).toBe(true);
      await house.call(tool, args(id), bob);
    });

    test(`[TK14] ${tool} with an older claim's number gets NOT_CLAIMED, with its own it is granted`, async () => {
      const house = await open();
      const { id, fence, agent } = await inHand(house, house.owner);
      const late = { ...args(id), fence: fence - 1 };
      const trace = await traceOf(house, async () => {
        expect(await house.reply(tool, late)).toMatchObject({ ok: false, failure: { code: "NOT_CLAIMED", fence } });
        expect(await house.refusal(tool, { ...late, fence: fence + 1 })).toBe("NOT_CLAIMED");
      });
      expect(trace.work).toEqual([]);
      expect(await house.call("task_get", { id })).toMatchObject({ claimed_by: agent, status: "in_progress" });
      await house.call(tool, { ...args(id), fence });
    });
  }

  test("[TK13] while nobody holds a task the workflow's owner writes to it, and nobody else", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const id = await oneTask(house);
    await house.call("task_set_plan", { id, plan });
    expect(await house.refusal("task_set_plan", { id, plan }, bob)).toBe("FORBIDDEN");
    expect(await house.refusal("task_update_status", { id, status: "planning" }, bob)).toBe("FORBIDDEN");
  });

  test("[TK13] who finished a task may still note something on it, and so may the workflow's owner", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const { caller: eve } = await house.developer("eve");
    const { id, fence } = await inHand(house, bob);
    await house.call("task_update_status", { id, status: "completed", outcome: "Yes." }, bob);
    const note = { task_id: id, type: "complete", summary: "Merged." };
    await house.call("checkpoint_add", { ...note, fence }, bob);
    await house.call("checkpoint_add", note);
    expect(await house.refusal("checkpoint_add", note, eve)).toBe("FORBIDDEN");
  });
});

/** The ways a claim ends; each is followed by a late write with the number it had. */
const endings: { how: string; end: (house: TestHouse, held: { id: string; agent: string }) => Promise<unknown> }[] = [
  {
    how: "given back",
    end: (house, { id, agent }) => house.call("task_release", { task_id: id, agent_id: agent }),
  },
  { how: "given back by leaving", end: (house, { agent }) => house.call("agent_unregister", { id: agent }) },
  {
    how: "given back by going offline",
    end: (house, { agent }) => house.call("agent_update", { id: agent, status: "offline" }),
  },
  {
    how: "lost by silence",
    end: async (house) => {
      house.clock.advance(60_001);
      await house.sweep();
    },
  },
];

describe("late writes", () => {
  forEachStillStore("after a claim ended", (open) => {
    for (const { how, end } of endings) {
      for (const { tool, args } of writes) {
        test(`[TK24] ${tool} for a task that was ${how} gets NOT_CLAIMED, before and after another takes it`, async () => {
          const house = await open();
          const held = await inHand(house, house.owner);
          await end(house, held);
          const write = { ...args(held.id), fence: held.fence };
          expect(await house.refusal(tool, write)).toBe("NOT_CLAIMED");
          const next = await claim(house, held.id, await house.agent("Next"));
          expect(next.fence).toBeGreaterThan(held.fence);
          const trace = await traceOf(house, async () => {
            expect(await house.refusal(tool, write)).toBe("NOT_CLAIMED");
          });
          expect(trace.work).toEqual([]);
        });
      }
    }
  });
});
