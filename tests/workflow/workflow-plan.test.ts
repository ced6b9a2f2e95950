import { describe, expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { newWorkflow, planned, planOf, type TaskAsk, taskIds } from "./work.ts";

forEachStillStore("plans", (open) => {
  test("[WF7] a plan makes every task and readies the workflow, in one step", async () => {
    const house = await open();
    const id = await newWorkflow(house);
    house.clock.advance(5);
    const tasks: TaskAsk[] = [
      { name: "one", parallel_group: "g" },
      { name: "two", parallel_group: "g" },
      { name: "three", sequence: 2, parallel_group: "h", depends_on: ["one", "two", "one"] },
    ];
    let reply: unknown;
    const trace = await traceOf(house, async () => {
      reply = await house.call("workflow_set_plan", {
        id,
        plan: { ...planOf(tasks), risks: ["It may rain."], assumptions: ["It is warm."] },
      });
    });
    expect(reply).toEqual({ workflow_id: id, tasks_created: 3, parallelizable_groups: 2, status: "ready" });
    const task = await taskIds(house, id);
    const by = { developerId: house.owner.developerId };
    expect(trace).toEqual({
      work: [
        {
          kind: "workflow.planSet",
          announced: "workflow:updated",
          subject: id,
          channels: [`workflow:${id}`],
          data: { status: "preparing", tasks: 3 },
          ...by,
        },
        ...["one", "two", "three"].map((name) => ({
          kind: "task.created",
          announced: "task:created",
          subject: task(name),
          channels: [`task:${task(name)}`, `workflow:${id}`],
          data: { workflow_id: id, name, status: "planned" },
          ...by,
        })),
      ],
      usage: [usedWell("workflow_set_plan")],
    });
    expect(await house.call("workflow_get", { id })).toMatchObject({
      status: "ready",
      plan_summary: "A summary",
      plan: { summary: "A summary", approach: "An approach", risks: ["It may rain."], assumptions: ["It is warm."] },
      created_at: momentAt(0),
      updated_at: momentAt(5),
    });
  });

  test("[WF7] everything a plan says of a task comes back", async () => {
    const house = await open();
    const { id, task } = await planned(house, [
      { name: "a" },
      {
        name: "  b  ",
        description: "Line one\n\tünïcode 🎉",
        sequence: 7,
        parallel_group: "g",
        depends_on: ["a"],
        estimated_complexity: "high",
        files_likely_affected: ["src/b.ts"],
        required_capabilities: ["typescript"],
      },
    ]);
    expect(await house.call("task_get", { id: task("b") })).toEqual({
      id: task("b"),
      workflow_id: id,
      name: "b",
      description: "Line one\n\tünïcode 🎉",
      sequence: 7,
      parallel_group: "g",
      status: "blocked",
      estimated_complexity: "high",
      files_likely_affected: ["src/b.ts"],
      required_capabilities: ["typescript"],
      plan: null,
      predicted_files: [],
      context: {},
      outcome: null,
      outcome_detail: null,
      error: null,
      claimed_by: null,
      fence: 0,
      workspace_id: null,
      started_at: null,
      completed_at: null,
      created_at: momentAt(0),
      updated_at: momentAt(0),
      depends_on: ["a"],
      result: null,
    });
  });

  test("[WF8] a second plan is refused with INVALID_STATE, and the first stays", async () => {
    const house = await open();
    const { id } = await planned(house, [{ name: "a" }]);
    const trace = await traceOf(house, async () => {
      expect(await house.refusal("workflow_set_plan", { id, plan: planOf([{ name: "b" }]) })).toBe("INVALID_STATE");
    });
    expect(trace).toEqual({ work: [], usage: [wasRefused("workflow_set_plan", "INVALID_STATE")] });
    const task = await taskIds(house, id);
    expect(() => task("b")).toThrow();
  });

  const faults = [
    {
      rule: "WF9",
      what: "two tasks of one name",
      tasks: [{ name: "a" }, { name: " a " }],
      code: "DUPLICATE_TASK_NAME",
      details: { name: "a" },
    },
    {
      rule: "WF9",
      what: "a task that waits for itself",
      tasks: [{ name: "a", depends_on: ["a"] }],
      code: "SELF_DEPENDENCY",
      details: { name: "a" },
    },
    {
      rule: "WF9",
      what: "a task that waits for one that is not there",
      tasks: [{ name: "a" }, { name: "b", depends_on: ["a", "nowhere"] }],
      code: "UNKNOWN_DEPENDENCY",
      details: { name: "nowhere", task: "b" },
    },
    {
      rule: "WF9",
      what: "names of what every object has",
      tasks: [{ name: "a", depends_on: ["constructor"] }],
      code: "UNKNOWN_DEPENDENCY",
      details: { name: "constructor", task: "a" },
    },
    {
      rule: "WF10",
      what: "two that wait for each other",
      tasks: [
        { name: "a", depends_on: ["b"] },
        { name: "b", depends_on: ["a"] },
      ],
      code: "INVALID_INPUT",
      details: { cycle: ["a", "b", "a"] },
    },
    {
      rule: "WF10",
      what: "a longer circle with an entrance and an exit",
      tasks: [
        { name: "in" },
        { name: "a", depends_on: ["c", "in"] },
        { name: "b", depends_on: ["a"] },
        { name: "c", depends_on: ["b"] },
        { name: "out", depends_on: ["c"] },
      ],
      code: "INVALID_INPUT",
      details: { cycle: ["a", "c", "b", "a"] },
    },
  ];
  for (const { rule, what, tasks, code, details } of faults) {
    test(`[${rule}, WF11] workflow_set_plan refuses ${what}, says which, and leaves nothing behind`, async () => {
      const house = await open();
      const id = await newWorkflow(house);
      const before = await house.call("workflow_get", { id, include_tasks: true });
      const trace = await traceOf(house, async () => {
        const reply = await house.reply("workflow_set_plan", { id, plan: planOf(tasks) });
        expect(reply).toMatchObject({ ok: false, failure: { code, ...details } });
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("workflow_set_plan", code)] });
      expect(await house.call("workflow_get", { id, include_tasks: true })).toEqual(before);
      await house.call("workflow_set_plan", { id, plan: planOf([{ name: "a" }]) });
    });
  }

  test("[WF16] nobody but its owner plans a workflow", async () => {
    const house = await open();
    const id = await newWorkflow(house);
    const { caller: bob } = await house.developer("bob");
    const plan = planOf([{ name: "a" }]);
    expect(await house.refusal("workflow_set_plan", { id, plan }, bob)).toBe("FORBIDDEN");
  });
});

describe("arguments of a plan", () => {
  const good = planOf([{ name: "a" }]);
  const [task] = good.tasks;
  for (const { what, plan, keyword } of [
    { what: "no tasks", plan: { ...good, tasks: [] }, keyword: "minItems" },
    { what: "a blank name", plan: { ...good, tasks: [{ ...task, name: " " }] }, keyword: "minLength" },
    { what: "a sequence between two numbers", plan: { ...good, tasks: [{ ...task, sequence: 1.5 }] }, keyword: "type" },
    { what: "a negative sequence", plan: { ...good, tasks: [{ ...task, sequence: -1 }] }, keyword: "minimum" },
    { what: "a blank summary", plan: { ...good, summary: "  " }, keyword: "minLength" },
    { what: "something unheard of", plan: { ...good, budget: 3 }, keyword: "additionalProperties" },
    { what: "10,001 tasks", plan: { ...good, tasks: Array(10_001).fill(task) }, keyword: "maxItems" },
  ]) {
    test(`[WF9] ${what} is refused before anything is looked up`, async () => {
      const house = await openTestHouse("sqlite");
      expect(await house.reply("workflow_set_plan", { id: "wf_none", plan })).toMatchObject({
        ok: false,
        failure: { code: "INVALID_REQUEST", details: [{ keyword }] },
      });
    });
  }
});
