import { expect, test } from "vitest";
import { forEachStore } from "../../src/testing/house.ts";

const plan = (tasks: object[]) => ({ summary: "s", approach: "a", tasks });
const task = (name: string, ...depends_on: string[]) => ({ name, description: name, sequence: 1, depends_on });

forEachStore("a plan that is refused", (open) => {
  test("[WF11] of a refused plan nothing is left, and another can be set", async () => {
    const house = await open();
    const { id } = await house.call<{ id: string }>("workflow_create", {
      name: "W",
      source_type: "prompt",
      source_content: "x",
    });
    const cycle = plan([task("a", "b"), task("b", "a")]);
    const events = await house.eventsOf(async () =>
      expect(await house.refusal("workflow_set_plan", { id, plan: cycle })).toBe("INVALID_INPUT"),
    );
    expect(events).toEqual([]);
    const before = await house.call("workflow_get", { id, include_tasks: true });
    expect(before).toMatchObject({ status: "planning", plan: null, tasks: [] });
    await house.call("workflow_set_plan", { id, plan: plan([task("a"), task("b", "a")]) });
    expect((await house.call<{ tasks: object[] }>("workflow_get", { id, include_tasks: true })).tasks).toHaveLength(2);
  });
});
