import fc from "fast-check";
import { expect, test } from "vitest";
import { WorkflowId } from "../../src/contract/ids.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { type PlannedWork, planned } from "./work.ts";

const add = (house: TestHouse, work: PlannedWork, name: string, depends_on: readonly string[] = [], sequence = 9) =>
  house.call<{ id: string }>("task_add", { workflow_id: work.id, name, sequence, depends_on });

async function finish(house: TestHouse, id: string): Promise<void> {
  await house.call("task_update_status", { id, status: "planning" });
  await house.call("task_update_status", { id, status: "completed", outcome: "Done." });
}

async function tailsOf(house: TestHouse, workflowId: string): Promise<Record<string, number>> {
  const rows = await house.house.store.read((db) =>
    db.all(db.q.selectFrom("task").select(["name", "tail"]).where("workflowId", "=", WorkflowId.parse(workflowId))),
  );
  return Object.fromEntries(rows.map(({ name, tail }) => [name, tail]));
}

forEachStore("changing a plan", (open) => {
  test("[WF32] an added task waits for what is not finished, and the way to the end grows", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "A" }, { name: "B", depends_on: ["A"], sequence: 2 }, { name: "C" }]);
    await finish(house, work.task("C"));
    let id = "";
    const events = await house.eventsOf(async () => {
      ({ id } = await add(house, work, "D", ["B", "C"]));
    });
    expect(events).toEqual(["task.created"]);
    expect(await house.call("task_get", { id })).toMatchObject({ status: "blocked", started_at: null });
    expect(await house.call("task_check_dependencies", { task_id: id })).toMatchObject({
      satisfied: false,
      pending: [{ name: "B" }],
      completed: [{ name: "C" }],
    });
    expect(await tailsOf(house, work.id)).toEqual({ A: 3, B: 2, C: 1, D: 1 });
    await finish(house, work.task("A"));
    await finish(house, work.task("B"));
    expect(await house.call("workflow_next_tasks", { workflow_id: work.id })).toMatchObject({ tasks: [{ name: "D" }] });
  });

  test("[WF33] what cannot be added is refused and changes nothing", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "A" }]);
    const refusal = (ask: Record<string, unknown>, caller?: Parameters<TestHouse["refusal"]>[2]) =>
      house.refusal("task_add", { workflow_id: work.id, name: "B", sequence: 1, ...ask }, caller);
    const before = await house.entries();
    expect(await refusal({ name: "A" })).toBe("DUPLICATE_TASK_NAME");
    expect(await refusal({ depends_on: ["X"] })).toBe("UNKNOWN_DEPENDENCY");
    expect(await refusal({ workflow_id: "wf_x" })).toBe("WORKFLOW_NOT_FOUND");
    expect(await house.entries()).toEqual(before);
    const bob = await house.developer("bob");
    expect(await refusal({}, bob.caller)).toBe("FORBIDDEN");
    const empty = await house.call<{ id: string }>("workflow_create", {
      name: "No plan",
      source_type: "prompt",
      source_content: "x",
    });
    expect(await refusal({ workflow_id: empty.id })).toBe("INVALID_STATE");
    expect((await tailsOf(house, work.id))["B"]).toBeUndefined();
  });

  test("[WF34] a task is moved, told once, and stays where it is when it is finished", async () => {
    const house = await open();
    const work = await planned(house, [
      { name: "A", sequence: 1 },
      { name: "B", sequence: 2 },
    ]);
    const id = work.task("B");
    await house.call("task_move", { id, sequence: 0 });
    await house.call("task_move", { id, sequence: 0 });
    expect((await house.entries()).filter(({ kind }) => kind === "task.moved")).toMatchObject([
      { subject: id, data: { workflow_id: work.id, from: 2, to: 0 } },
    ]);
    expect(await house.call("workflow_next_tasks", { workflow_id: work.id })).toMatchObject({
      tasks: [{ name: "B" }, { name: "A" }],
    });
    await finish(house, id);
    expect(await house.refusal("task_move", { id, sequence: 5 })).toBe("INVALID_STATE");
    expect(await house.refusal("task_move", { id: "tk_x", sequence: 5 })).toBe("TASK_NOT_FOUND");
    const bob = await house.developer("bob");
    expect(await house.refusal("task_move", { id: work.task("A"), sequence: 5 }, bob.caller)).toBe("FORBIDDEN");
  });

  test("[WF35] tasks that are added while their dependency is finished can all begin afterwards", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "A" }]);
    await house.call("task_update_status", { id: work.task("A"), status: "planning" });
    await Promise.all([
      house.call("task_update_status", { id: work.task("A"), status: "completed", outcome: "Done." }),
      ...Array.from({ length: 8 }, (_, at) => add(house, work, `N${at}`, ["A"])),
    ]);
    const { tasks } = await house.call<{ tasks: { name: string }[] }>("workflow_next_tasks", { workflow_id: work.id });
    expect(tasks.map(({ name }) => name).sort()).toEqual(Array.from({ length: 8 }, (_, at) => `N${at}`));
  });
});

test("[WF32] however a plan is put together, the ways to the end are those of the same plan set at once", async () => {
  const house = await openTestHouse("sqlite");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat({ max: 20 }), { maxLength: 3 }), { minLength: 2, maxLength: 10 }),
      async (rows) => {
        const tasks = rows.map((before, at) => ({
          name: `T${at}`,
          depends_on: at === 0 ? [] : [...new Set(before.map((place) => `T${place % at}`))],
        }));
        const whole = await planned(house, tasks);
        const grown = await planned(house, tasks.slice(0, 1));
        for (const task of tasks.slice(1)) await add(house, grown, task.name, task.depends_on);
        expect(await tailsOf(house, grown.id)).toEqual(await tailsOf(house, whole.id));
      },
    ),
    { numRuns: 30 },
  );
});
