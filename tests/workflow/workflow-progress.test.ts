import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "../domain/still-house.ts";
import { bring, newWorkflow, planned } from "./work.ts";

const progressOf = (house: TestHouse, id: string) => house.call("workflow_progress", { workflow_id: id });

const none = {
  pending: 0,
  planning: 0,
  in_progress: 0,
  paused: 0,
  blocked: 0,
  completed: 0,
  failed: 0,
  skipped: 0,
};

forEachStillStore("how far it is", (open) => {
  test("[WF24] a workflow without tasks has nothing in any status", async () => {
    const house = await open();
    expect(await progressOf(house, await newWorkflow(house))).toEqual({
      total_tasks: 0,
      by_status: none,
      completed_sequence: 0,
      current_sequence: 0,
      blocked_tasks: [],
      parallel_groups: [],
      estimated_remaining: 0,
    });
  });

  test("[WF24, WF26, WF27] every status is counted, waiting as blocked, and groups with what is finished", async () => {
    const house = await open();
    const { id, task } = await planned(house, [
      { name: "done", parallel_group: "g" },
      { name: "skipped", parallel_group: "g" },
      { name: "failed", parallel_group: "g" },
      { name: "paused", parallel_group: "A" },
      { name: "active" },
      { name: "preparing" },
      { name: "free" },
      { name: "waits for two", sequence: 2, depends_on: ["paused", "done", "active"] },
      { name: "waits for a waiting one", sequence: 3, depends_on: ["waits for two"] },
    ]);
    await bring(house, task("done"), "completed");
    await bring(house, task("skipped"), "skipped");
    await bring(house, task("failed"), "failed");
    await bring(house, task("paused"), "paused");
    await bring(house, task("active"), "in_progress");
    await bring(house, task("preparing"), "planning");
    expect(await progressOf(house, id)).toEqual({
      total_tasks: 9,
      by_status: {
        pending: 1,
        planning: 1,
        in_progress: 1,
        paused: 1,
        blocked: 2,
        completed: 1,
        failed: 1,
        skipped: 1,
      },
      completed_sequence: 0,
      current_sequence: 1,
      blocked_tasks: [
        { id: task("waits for two"), name: "waits for two", blocked_by: ["active", "paused"] },
        { id: task("waits for a waiting one"), name: "waits for a waiting one", blocked_by: ["waits for two"] },
      ],
      parallel_groups: [
        { group_id: "A", task_count: 1, completed: 0 },
        { group_id: "g", task_count: 3, completed: 2 },
      ],
      estimated_remaining: 7,
    });
  });

  test("[WF25] sequences: everything up to the completed one is finished, the current one is the lowest that is not", async () => {
    const house = await open();
    const { id, task } = await planned(house, [
      { name: "a", sequence: 3 },
      { name: "b", sequence: 3 },
      { name: "c", sequence: 7 },
      { name: "d", sequence: 20 },
    ]);
    const sequences = async () => {
      const { completed_sequence, current_sequence } = await progressOf(house, id);
      return [completed_sequence, current_sequence];
    };
    expect(await sequences()).toEqual([0, 3]);
    await bring(house, task("d"), "completed");
    expect(await sequences()).toEqual([0, 3]);
    await bring(house, task("a"), "completed");
    expect(await sequences()).toEqual([0, 3]);
    await bring(house, task("b"), "skipped");
    expect(await sequences()).toEqual([3, 7]);
    await bring(house, task("c"), "failed");
    expect(await sequences()).toEqual([3, 7]);
    await house.call("task_update_status", { id: task("c"), status: "skipped" });
    expect(await sequences()).toEqual([20, 0]);
  });

  test("[WF26] the first hundred that wait are named", async () => {
    const house = await open();
    const tasks = Array.from({ length: 130 }, (_, at) => ({ name: `t${at}`, sequence: at, depends_on: ["root"] }));
    const { id } = await planned(house, [{ name: "root" }, ...tasks]);
    const { blocked_tasks, by_status } = await house.call<{ blocked_tasks: { name: string }[]; by_status: object }>(
      "workflow_progress",
      { workflow_id: id },
    );
    expect(blocked_tasks.map((task) => task.name)).toEqual(tasks.slice(0, 100).map((task) => task.name));
    expect(by_status).toMatchObject({ blocked: 130, pending: 1 });
  });

  test("[WF28] from the third finished task on there is an estimate at the pace so far", async () => {
    const house = await open();
    const { id, task } = await planned(
      house,
      ["a", "b", "c", "d", "e", "f"].map((name) => ({ name })),
    );
    for (const name of ["a", "b"]) {
      await bring(house, task(name), "in_progress");
      house.clock.advance(10_000);
      await house.call("task_update_status", { id: task(name), status: "completed", outcome: "Done." });
    }
    expect(await progressOf(house, id)).not.toHaveProperty("eta_seconds");
    await bring(house, task("c"), "in_progress");
    house.clock.advance(10_000);
    await house.call("task_update_status", { id: task("c"), status: "completed", outcome: "Done." });
    expect(await progressOf(house, id)).toMatchObject({ estimated_remaining: 3, eta_seconds: 30 });
    for (const name of ["d", "e", "f"]) await bring(house, task(name), "skipped");
    expect(await progressOf(house, id)).toMatchObject({ estimated_remaining: 0, eta_seconds: 0 });
  });

  test("[WF28] tasks that are finished without being begun, and skipped ones, have a pace too", async () => {
    const house = await open();
    const { id, task } = await planned(
      house,
      ["a", "b", "c", "d", "e"].map((name) => ({ name })),
    );
    house.clock.advance(30_000);
    for (const name of ["a", "b", "c"]) {
      expect(await progressOf(house, id)).not.toHaveProperty("eta_seconds");
      await bring(house, task(name), "planning");
      await house.call("task_update_status", { id: task(name), status: "completed", outcome: "Nothing to do." });
    }
    expect(await progressOf(house, id)).toMatchObject({ estimated_remaining: 2, eta_seconds: 20 });
    await bring(house, task("d"), "skipped");
    house.clock.advance(8_000);
    expect(await progressOf(house, id)).toMatchObject({ estimated_remaining: 1, eta_seconds: 2 });
  });
});
