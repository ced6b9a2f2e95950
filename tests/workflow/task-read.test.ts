import { expect, test } from "vitest";
import { forEachStillStore } from "../domain/still-house.ts";
import { bring, oneTask, planned } from "./work.ts";

forEachStillStore("reading a task", (open) => {
  test("[TK28] checkpoints come when asked for, oldest first, at most the newest so many", async () => {
    const house = await open();
    const id = await oneTask(house);
    for (const summary of ["one", "two", "three"]) {
      await house.call("checkpoint_add", { task_id: id, type: "progress", summary });
    }
    const read = async (ask: Record<string, unknown>) =>
      (await house.call<{ checkpoints?: { summary: string }[] }>("task_get", { id, ...ask })).checkpoints?.map(
        (note) => note.summary,
      );
    expect(await read({})).toBeUndefined();
    expect(await read({ include_checkpoints: true })).toEqual(["one", "two", "three"]);
    expect(await read({ include_checkpoints: true, checkpoint_limit: 2 })).toEqual(["two", "three"]);
  });

  test("[TK28] without a limit all checkpoints come, however many there are", async () => {
    const house = await open();
    const task_id = await oneTask(house);
    const most = 1_001;
    for (let at = 0; at < most; at += 1) {
      await house.call("checkpoint_add", { task_id, type: "progress", summary: `${at}` });
    }
    const all = await house.call<{ checkpoints: unknown[] }>("task_get", { id: task_id, include_checkpoints: true });
    expect(all.checkpoints).toHaveLength(most);
    expect(await house.refusal("task_get", { id: task_id, checkpoint_limit: 100_001 })).toBe("INVALID_REQUEST");
  });

  test("[TK28] anyone in the team may read any task", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const id = await oneTask(house);
    for (const [tool, args] of [
      ["task_get", { id }],
      ["task_check_dependencies", { task_id: id }],
      ["checkpoint_list", { task_id: id }],
      ["task_load_context", { task_id: id }],
    ] as const) {
      expect(await house.call(tool, args, bob)).toEqual(await house.call(tool, args));
    }
  });

  test("[TK29] dependencies are told apart by whether they are finished", async () => {
    const house = await open();
    const { task } = await planned(house, [
      { name: "z done" },
      { name: "skipped" },
      { name: "failed" },
      { name: "running" },
      { name: "free" },
      { name: "waiting", depends_on: ["free"] },
      { name: "all", depends_on: ["waiting", "free", "running", "failed", "skipped", "z done"] },
    ]);
    await bring(house, task("z done"), "completed");
    await bring(house, task("skipped"), "skipped");
    await bring(house, task("failed"), "failed");
    await bring(house, task("running"), "in_progress");
    expect(await house.call("task_check_dependencies", { task_id: task("all") })).toEqual({
      satisfied: false,
      pending: [
        { id: task("failed"), name: "failed", status: "failed" },
        { id: task("free"), name: "free", status: "pending" },
        { id: task("running"), name: "running", status: "in_progress" },
        { id: task("waiting"), name: "waiting", status: "blocked" },
      ],
      completed: [
        { id: task("skipped"), name: "skipped", outcome: "" },
        { id: task("z done"), name: "z done", outcome: "It works." },
      ],
    });
    expect(await house.call("task_check_dependencies", { task_id: task("free") })).toEqual({
      satisfied: true,
      pending: [],
      completed: [],
    });
  });
});
