import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "../domain/still-house.ts";
import { bring, claim, newWorkflow, planned } from "./work.ts";

const availableTo = async (house: TestHouse, agent: string, ask: Record<string, unknown> = {}): Promise<string[]> => {
  const { tasks } = await house.call<{ tasks: { name: string }[] }>("task_get_available", { agent_id: agent, ...ask });
  return tasks.map((task) => task.name);
};

forEachStillStore("what an agent can take", (open) => {
  test("[TK25] pending, unclaimed, unblocked tasks of every workflow that is under way, by sequence and name", async () => {
    const house = await open();
    const agent = await house.agent("Ada");
    const first = await planned(house, [
      { name: "f2", sequence: 2 },
      { name: "f1", sequence: 1 },
      { name: "waits", sequence: 0, depends_on: ["f1"] },
      { name: "taken", sequence: 0 },
      { name: "failed", sequence: 0 },
      { name: "running", sequence: 0 },
    ]);
    const second = await planned(house, [
      { name: "s1", sequence: 1 },
      { name: "S1", sequence: 1 },
    ]);
    await newWorkflow(house);
    await claim(house, first.task("taken"), await house.agent("Other"));
    await bring(house, first.task("failed"), "failed");
    await bring(house, first.task("running"), "in_progress");
    expect(await availableTo(house, agent)).toEqual(["S1", "f1", "s1", "f2"]);
    expect(await availableTo(house, agent, { limit: 2 })).toEqual(["S1", "f1"]);
    expect(await availableTo(house, agent, { workflow_id: first.id })).toEqual(["f1", "f2"]);
    expect(await availableTo(house, agent, { workflow_id: second.id })).toEqual(["S1", "s1"]);
  });

  test("[TK25] each is shown whole, with what came before it", async () => {
    const house = await open();
    const agent_id = await house.agent("Ada");
    const { task } = await planned(house, [{ name: "a" }, { name: "b", depends_on: ["a"] }]);
    await bring(house, task("a"), "completed");
    const { result, predicted_files, ...whole } = await house.call("task_get", { id: task("b") });
    expect({ result, predicted_files }).toEqual({ result: null, predicted_files: [] });
    expect(whole).toMatchObject({ depends_on: ["a"] });
    expect(await house.call("task_get_available", { agent_id })).toEqual({ tasks: [whole] });
  });

  test("[TK25] a workflow that rests or is over hands nothing out, whether it is named or not", async () => {
    const house = await open();
    const agent = await house.agent("Ada");
    const { id } = await planned(house, [{ name: "a" }]);
    for (const [status, names] of [
      ["in_progress", ["a"]],
      ["paused", []],
      ["abandoned", []],
    ] as const) {
      await house.call("workflow_update_status", { id, status });
      expect(await availableTo(house, agent)).toEqual(names);
      expect(await availableTo(house, agent, { workflow_id: id })).toEqual(names);
    }
  });

  test("[TK26] a task that asks for capabilities is for agents that have them all, any other for everyone", async () => {
    const house = await open();
    await planned(house, [
      { name: "anyone" },
      { name: "rust", required_capabilities: ["rust"] },
      { name: "rust and tests", required_capabilities: ["testing", "rust"] },
    ]);
    const agentWith = (capabilities: string[]) => house.agent("Ada", house.owner, { capabilities });
    expect(await availableTo(house, await agentWith([]))).toEqual(["anyone"]);
    expect(await availableTo(house, await agentWith(["rust", "python"]))).toEqual(["anyone", "rust"]);
    expect(await availableTo(house, await agentWith(["testing"]))).toEqual(["anyone"]);
    expect(await availableTo(house, await agentWith(["testing", "rust"]))).toEqual([
      "anyone",
      "rust",
      "rust and tests",
    ]);
    expect(await availableTo(house, await agentWith(["Rust"]))).toEqual(["anyone"]);
  });

  test("[TK27] however much work an agent cannot do stands before it, it finds what it can do", async () => {
    const house = await open();
    const unfit = Array.from({ length: 700 }, (_, at) => ({ name: `unfit ${at}`, required_capabilities: ["cobol"] }));
    const { id } = await planned(house, [...unfit, { name: "fit", sequence: 2 }, { name: "fit too", sequence: 3 }]);
    const agent = await house.agent("Ada");
    expect(await availableTo(house, agent)).toEqual(["fit", "fit too"]);
    expect(await availableTo(house, agent, { limit: 1 })).toEqual(["fit"]);
    expect(await availableTo(house, agent, { limit: 1, workflow_id: id })).toEqual(["fit"]);
  });

  test("[TK25] one asks for one's own agents only", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const agent = await house.agent("Ada");
    expect(await house.refusal("task_get_available", { agent_id: agent }, bob)).toBe("FORBIDDEN");
  });
});
