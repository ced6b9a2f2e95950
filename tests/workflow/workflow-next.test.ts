import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "../domain/still-house.ts";
import { bring, claim, newWorkflow, planned } from "./work.ts";

interface Next {
  readonly tasks: readonly { readonly name: string; readonly parallel_with?: readonly string[] }[];
  readonly recommended_count: number;
  readonly all_complete: boolean;
}

const nextOf = (house: TestHouse, workflowId: string, ask: Record<string, unknown> = {}) =>
  house.call<Next>("workflow_next_tasks", { workflow_id: workflowId, ...ask });

const namesOf = (next: Next): string[] => next.tasks.map((task) => task.name);

forEachStillStore("what is next", (open) => {
  test("[WF19, WF20] tasks that wait for nothing come by sequence, then by name, with their group and dependencies", async () => {
    const house = await open();
    const { id, task } = await planned(
      house,
      [
        { name: "z first", sequence: 1 },
        { name: "beta", sequence: 2, parallel_group: "pair", depends_on: ["z first"] },
        { name: "alpha", sequence: 2, parallel_group: "pair", depends_on: ["z first"] },
        { name: "Alpha", sequence: 2 },
        { name: "last", sequence: 3, depends_on: ["beta"] },
      ],
      { max_parallel_tasks: 2 },
    );
    expect(namesOf(await nextOf(house, id))).toEqual(["z first", "Alpha"]);
    await bring(house, task("z first"), "completed");
    expect(await nextOf(house, id)).toEqual({
      tasks: [
        {
          id: task("Alpha"),
          name: "Alpha",
          description: "Do Alpha.",
          can_parallelize: false,
          dependencies_completed: [],
        },
        {
          id: task("alpha"),
          name: "alpha",
          description: "Do alpha.",
          can_parallelize: true,
          parallel_with: [task("beta")],
          dependencies_completed: [task("z first")],
        },
        {
          id: task("beta"),
          name: "beta",
          description: "Do beta.",
          can_parallelize: true,
          parallel_with: [task("alpha")],
          dependencies_completed: [task("z first")],
        },
      ],
      max_parallel: 2,
      recommended_count: 2,
      workflow_status: "ready",
      all_complete: false,
    });
  });

  test("[WF19] what failed is offered again in its place, unless it is not wanted", async () => {
    const house = await open();
    const { id, task } = await planned(house, [{ name: "a", sequence: 2 }, { name: "b" }, { name: "c", sequence: 3 }]);
    await bring(house, task("a"), "failed");
    expect(namesOf(await nextOf(house, id))).toEqual(["b", "a", "c"]);
    expect(namesOf(await nextOf(house, id, { include_failed: false }))).toEqual(["b", "c"]);
    await bring(house, task("b"), "skipped");
    expect(namesOf(await nextOf(house, id))).toEqual(["a", "c"]);
  });

  test("[WF19] what somebody has claimed, or has in hand, is not offered", async () => {
    const house = await open();
    const { id, task } = await planned(house, [{ name: "a" }, { name: "b" }, { name: "c" }, { name: "d" }]);
    await claim(house, task("a"), await house.agent("Ada"));
    await bring(house, task("b"), "in_progress");
    await bring(house, task("c"), "paused");
    expect(namesOf(await nextOf(house, id))).toEqual(["d"]);
  });

  test("[WF21] places that are taken are not recommended again", async () => {
    const house = await open();
    const tasks = ["a", "b", "c", "d", "e"].map((name) => ({ name }));
    const { id, task } = await planned(house, tasks, { max_parallel_tasks: 3 });
    const recommended = async () => (await nextOf(house, id)).recommended_count;
    expect(await recommended()).toBe(3);
    await bring(house, task("a"), "planning");
    expect(await recommended()).toBe(2);
    await bring(house, task("b"), "in_progress");
    expect(await recommended()).toBe(1);
    await bring(house, task("c"), "paused");
    expect(await recommended()).toBe(1);
    await bring(house, task("d"), "in_progress");
    expect(await recommended()).toBe(0);
    await house.call("workflow_set_parallelism", { id, max_parallel_tasks: 1 });
    expect(await recommended()).toBe(0);
    await house.call("workflow_set_parallelism", { id, max_parallel_tasks: 100 });
    expect(await recommended()).toBe(1);
  });

  test("[WF21] nothing is recommended in a workflow that rests or is over", async () => {
    const house = await open();
    const { id } = await planned(house, [{ name: "a" }]);
    const recommended = async () => (await nextOf(house, id)).recommended_count;
    await house.call("workflow_update_status", { id, status: "in_progress" });
    expect(await recommended()).toBe(1);
    await house.call("workflow_update_status", { id, status: "paused" });
    expect(await recommended()).toBe(0);
    await house.call("workflow_update_status", { id, status: "abandoned" });
    expect(await nextOf(house, id)).toMatchObject({ recommended_count: 0, workflow_status: "abandoned" });
  });

  test("[WF22] all is complete when there are tasks and every one is completed or skipped", async () => {
    const house = await open();
    const empty = await newWorkflow(house);
    expect(await nextOf(house, empty)).toEqual({
      tasks: [],
      max_parallel: 1,
      recommended_count: 0,
      workflow_status: "planning",
      all_complete: false,
    });
    const { id, task } = await planned(house, [{ name: "a" }, { name: "b" }]);
    const isOver = async () => (await nextOf(house, id)).all_complete;
    await bring(house, task("a"), "completed");
    expect(await isOver()).toBe(false);
    await bring(house, task("b"), "failed");
    expect(await isOver()).toBe(false);
    await house.call("task_update_status", { id: task("b"), status: "skipped" });
    expect(await isOver()).toBe(true);
  });

  test("[WF23] a hundred are listed, or as many as may begin, and the first fifty others of a group", async () => {
    const house = await open();
    const tasks = Array.from({ length: 250 }, (_, at) => ({
      name: `task ${String(at).padStart(3, "0")}`,
      parallel_group: at < 120 ? "many" : `few ${at % 10}`,
      description: "x".repeat(3_000),
    }));
    const { id } = await planned(house, tasks, { max_parallel_tasks: 2 });
    const few = await nextOf(house, id);
    expect(namesOf(few)).toEqual(tasks.slice(0, 100).map((task) => task.name));
    expect(few.tasks.every((task) => task.parallel_with?.length === 50)).toBe(true);
    expect(JSON.stringify(few).length).toBeLessThan(500_000);
    await house.call("workflow_set_parallelism", { id, max_parallel_tasks: 200 });
    const many = await nextOf(house, id);
    expect(namesOf(many)).toEqual(tasks.slice(0, 200).map((task) => task.name));
    expect(many.recommended_count).toBe(200);
    expect(many.tasks.at(-1)?.parallel_with?.length).toBe(12);
  });
});
