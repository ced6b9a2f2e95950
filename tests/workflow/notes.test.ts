import { describe, expect, test } from "vitest";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { nestedTo } from "../domain/nested.ts";
import { forEachStillStore, momentAt, traceOf, usedWell } from "../domain/still-house.ts";
import { bring, oneTask, planned } from "./work.ts";

interface Checkpoint {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly summary: string;
  readonly superseded: boolean;
}

const add = (house: TestHouse, taskId: string, ask: Record<string, unknown> = {}) =>
  house.call<{ id: string; sequence: number }>("checkpoint_add", {
    task_id: taskId,
    type: "progress",
    summary: "On.",
    ...ask,
  });

const list = async (house: TestHouse, taskId: string, ask: Record<string, unknown> = {}): Promise<Checkpoint[]> =>
  (await house.call<{ checkpoints: Checkpoint[] }>("checkpoint_list", { task_id: taskId, ...ask })).checkpoints;

forEachStillStore("checkpoints", (open) => {
  test("[NT1] adding answers the id and the next number within the task, and is recorded", async () => {
    const house = await open();
    const { id: workflowId, task } = await planned(house, [{ name: "a" }, { name: "b" }]);
    house.clock.advance(4);
    let reply: { id: string; sequence: number } | undefined;
    const trace = await traceOf(house, async () => {
      reply = await add(house, task("a"), {
        summary: "  Wrote it. ",
        detail: { lines: 3, note: "ü🎉" },
        files_changed: ["a.ts", "b.ts"],
      });
    });
    const id = reply?.id ?? "";
    expect(reply).toEqual({ id: expect.stringMatching(/^cp_[0-9a-z]{26}$/), sequence: 1 });
    expect(trace).toEqual({
      work: [
        {
          kind: "note.added",
          announced: "note:created",
          subject: id,
          channels: [`note:${id}`, `task:${task("a")}`, `workflow:${workflowId}`],
          data: { workflow_id: workflowId, task_id: task("a"), kind: "progress", sequence: 1 },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("checkpoint_add")],
    });
    expect(await list(house, task("a"))).toEqual([
      {
        id,
        task_id: task("a"),
        type: "progress",
        sequence: 1,
        summary: "Wrote it.",
        detail: { lines: 3, note: "ü🎉" },
        files_changed: ["a.ts", "b.ts"],
        superseded: false,
        created_at: momentAt(4),
      },
    ]);
    expect((await add(house, task("a"))).sequence).toBe(2);
    expect((await add(house, task("b"))).sequence).toBe(1);
  });

  test("[NT4] a list is oldest first; kinds and a number narrow it, the number itself left out", async () => {
    const house = await open();
    const id = await oneTask(house);
    for (const type of ["plan", "progress", "decision", "error", "recovery", "complete"])
      await add(house, id, { type });
    const sequences = async (ask: Record<string, unknown>) => (await list(house, id, ask)).map((one) => one.sequence);
    expect(await sequences({})).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await sequences({ type: ["decision", "plan"] })).toEqual([1, 3]);
    expect(await sequences({ since_sequence: 4 })).toEqual([5, 6]);
    expect(await sequences({ since_sequence: 1, type: ["complete", "progress"] })).toEqual([2, 6]);
    expect(await sequences({ since_sequence: 6 })).toEqual([]);
  });

  test("[NT4] a limit leaves the newest, or after a number those that follow it", async () => {
    const house = await open();
    const id = await oneTask(house);
    for (let number = 1; number <= 6; number += 1) await add(house, id);
    const sequences = async (ask: Record<string, unknown>) => (await list(house, id, ask)).map((one) => one.sequence);
    expect(await sequences({ limit: 2 })).toEqual([5, 6]);
    expect(await sequences({ limit: 2, since_sequence: 0 })).toEqual([1, 2]);
    expect(await sequences({ limit: 2, since_sequence: 2 })).toEqual([3, 4]);
  });

  test("[NT5] checkpoint_add refuses a detail beyond 64 KiB or 64 levels with TOO_LARGE", async () => {
    const house = await open();
    const id = await oneTask(house);
    const trace = await traceOf(house, async () => {
      for (const detail of [{ huge: "x".repeat(65_536) }, nestedTo(65), nestedTo(5_000)]) {
        const args = { task_id: id, type: "progress", summary: "On.", detail };
        expect(await house.refusal("checkpoint_add", args)).toBe("TOO_LARGE");
      }
    });
    expect(trace.work).toEqual([]);
    expect((await add(house, id, { detail: { large: "x".repeat(65_000) } })).sequence).toBe(1);
  });

  test("[NT6] a new plan voids what was noted before it, and the server notes why, with the old plan and error", async () => {
    const house = await open();
    const id = await oneTask(house);
    const plan = { approach: "Old", steps: ["Step"] };
    await house.call("task_set_plan", { id, plan });
    await add(house, id, { type: "decision", summary: "Old decision" });
    await bring(house, id, "failed");
    const next = { approach: "New", steps: [] };
    const { checkpoint_id } = await house.call("task_replan", { id, reason: "It broke", new_plan: next });
    await add(house, id, { summary: "Under the new plan" });
    const notes = await list(house, id);
    expect(notes.map(({ type, summary, superseded }) => [type, summary, superseded])).toEqual([
      ["decision", "Old decision", true],
      ["replan", "It broke", false],
      ["progress", "Under the new plan", false],
    ]);
    expect(notes[1]).toMatchObject({
      id: checkpoint_id,
      sequence: 2,
      detail: { previous_plan: plan, previous_error: "It broke." },
    });
    await bring(house, id, "in_progress");
    await house.call("task_replan", { id, reason: "Again", new_plan: next });
    expect((await list(house, id)).map((one) => one.superseded)).toEqual([true, true, true, false]);
    expect((await list(house, id, { type: ["replan"] })).map((one) => one.summary)).toEqual(["It broke", "Again"]);
  });

  test("[NT7] a decision is announced as one", async () => {
    const house = await open();
    const id = await oneTask(house);
    const { work } = await traceOf(house, () => add(house, id, { type: "decision" }));
    expect(work.map(({ kind, announced }) => [kind, announced])).toEqual([["note.decided", "decision:created"]]);
  });
});

describe("arguments of a checkpoint", () => {
  for (const { what, ask, keyword } of [
    { what: "the kind that only the server writes", ask: { type: "replan" }, keyword: "enum" },
    { what: "a kind of another family", ask: { type: "issue" }, keyword: "enum" },
    { what: "a blank summary", ask: { summary: " " }, keyword: "minLength" },
    { what: "a summary of 10,001 characters", ask: { summary: "x".repeat(10_001) }, keyword: "maxLength" },
    { what: "1,001 files", ask: { files_changed: Array(1_001).fill("a") }, keyword: "maxItems" },
    { what: "a detail that is a list", ask: { detail: [] }, keyword: "type" },
  ]) {
    test(`[NT2] ${what} is refused`, async () => {
      const house = await openTestHouse("sqlite");
      const args = { task_id: "tk_none", type: "progress", summary: "On.", ...ask };
      expect(await house.reply("checkpoint_add", args)).toMatchObject({
        ok: false,
        failure: { code: "INVALID_REQUEST", details: [{ keyword }] },
      });
    });
  }
});

forEachStore("checkpoints at the same moment", (open) => {
  test("[NT3] a hundred of them are numbered from 1 to 100 without a gap", async () => {
    const house = await open();
    const id = await oneTask(house);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => add(house, id, { summary: `Note ${at}` })),
    );
    const numbers = Array.from({ length: 100 }, (_, at) => at + 1);
    expect(answers.map((one) => one.sequence).sort((one, other) => one - other)).toEqual(numbers);
    const notes = await list(house, id);
    expect(notes.map((one) => one.sequence)).toEqual(numbers);
    const byId = new Map(answers.map((one) => [one.id, one.sequence]));
    for (const note of notes) expect(byId.get(note.id)).toBe(note.sequence);
  });
});
