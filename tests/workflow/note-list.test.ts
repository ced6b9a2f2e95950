import { expect, test } from "vitest";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { planned } from "./work.ts";

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
}

forEachStillStore("the notes of a workflow", (open) => {
  test("[DW10] are those of all its tasks, newest first, whole and without anybody else's", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "a" }, { name: "b" }]);
    const elsewhere = await planned(house, [{ name: "c" }]);
    const noteOn = async (taskId: string, type: string, more: Record<string, unknown> = {}) => {
      house.clock.advance(1);
      const ask = { task_id: taskId, type, summary: `${type} noted`, ...more };
      return (await house.call<{ id: string }>("checkpoint_add", ask)).id;
    };
    const detail = { lines: 3, said: "ü" };
    const oldest = await noteOn(work.task("a"), "progress", { detail, files_changed: ["a.ts"] });
    const middle = await noteOn(work.task("b"), "decision");
    await noteOn(elsewhere.task("c"), "decision");
    const newest = await noteOn(work.task("a"), "error");

    const list = async (ask: Record<string, unknown> = {}) =>
      (await house.call<{ notes: Listed[] }>("note_list", { workflow_id: work.id, ...ask })).notes;
    const common = { files: [], detail: null, superseded: false, needs_human: false, resolved_at: null };
    const [a, b] = [work.task("a"), work.task("b")];
    expect(await list()).toEqual([
      { ...common, id: newest, task_id: a, kind: "error", summary: "error noted", created_at: momentAt(4) },
      { ...common, id: middle, task_id: b, kind: "decision", summary: "decision noted", created_at: momentAt(2) },
      {
        ...common,
        id: oldest,
        task_id: a,
        kind: "progress",
        summary: "progress noted",
        detail,
        files: ["a.ts"],
        created_at: momentAt(1),
      },
    ]);
    expect((await list({ kind: ["decision", "progress"] })).map(({ id }) => id)).toEqual([middle, oldest]);
    expect((await list({ limit: 1 })).map(({ id }) => id)).toEqual([newest]);
  });

  test("[DW10] are refused by note_list for a workflow that is not there: WORKFLOW_NOT_FOUND", async () => {
    const house = await open();
    expect(await house.refusal("note_list", { workflow_id: "wf_nothing" })).toBe("WORKFLOW_NOT_FOUND");
  });
});
