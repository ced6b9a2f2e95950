import { expect, test } from "vitest";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { bring, planned, taskIds } from "./work.ts";

interface TaskAsk {
  readonly name: string;
  readonly description?: string;
  readonly depends_on?: readonly string[];
  readonly parallel_group?: string;
  readonly sequence?: number;
}

const definition = (tasks: readonly TaskAsk[], variables: readonly Record<string, unknown>[] = []) => ({
  tasks: tasks.map((task) => ({ description: "Do it.", sequence: 1, ...task })),
  variables,
});

let count = 0;

async function newTemplate(house: TestHouse, template: ReturnType<typeof definition>): Promise<string> {
  count += 1;
  return (await house.call<{ id: string }>("template_create", { name: `Template ${count}`, template })).id;
}

const apply = (house: TestHouse, id: string, variables?: Record<string, string>) =>
  house.reply("template_apply", { template_id: id, workflow_name: "Made", ...(variables ? { variables } : {}) });

/** Names and descriptions of the tasks that a template makes with these values. */
async function madeWith(house: TestHouse, id: string, variables?: Record<string, string>) {
  const reply = await apply(house, id, variables);
  if (!reply.ok) throw new Error(JSON.stringify(reply.failure));
  const workflow = await house.call<{ tasks: { name: string; summary: string; depends_on: string[] }[] }>(
    "workflow_get",
    { id: (reply.value as { workflow_id: string }).workflow_id, include_tasks: true },
  );
  return workflow.tasks.map(({ name, summary, depends_on }) => ({ name, summary, depends_on }));
}

forEachStillStore("using a template", (open) => {
  test("[TP8] applying makes a workflow that is planned and ready, in one step", async () => {
    const house = await open();
    const template = await newTemplate(
      house,
      definition([
        { name: "Tag {{version}}", parallel_group: "g" },
        { name: "Publish {{ version }}", sequence: 2, depends_on: ["Tag {{version}}"] },
      ]),
    );
    house.clock.advance(7);
    let reply: Record<string, unknown> = {};
    const trace = await traceOf(house, async () => {
      reply = await house.call("template_apply", {
        template_id: template,
        workflow_name: "Release 2",
        variables: { version: "2.0" },
        repository_path: "/srv/code/shop/",
        max_parallel_tasks: 3,
      });
    });
    const id = String(reply["workflow_id"]);
    expect(reply).toEqual({ workflow_id: expect.stringMatching(/^wf_/) });
    expect(trace.work.map((entry) => entry.kind)).toEqual([
      "workflow.created",
      "workflow.planSet",
      "task.created",
      "task.created",
    ]);
    expect(trace.usage).toEqual([usedWell("template_apply")]);
    const task = await taskIds(house, id);
    expect(await house.call("workflow_get", { id })).toMatchObject({
      name: "Release 2",
      status: "ready",
      source_type: "template",
      source_ref: template,
      repository_path: "/srv/code/shop",
      max_parallel_tasks: 3,
      created_at: momentAt(7),
    });
    expect(await house.call("task_get", { id: task("Publish 2.0") })).toMatchObject({
      status: "blocked",
      depends_on: ["Tag 2.0"],
    });
  });

  test("[TP9] values are put into names, descriptions and dependencies in one pass, and stay as they are", async () => {
    const house = await open();
    const template = await newTemplate(
      house,
      definition([
        { name: "{{a}} and {{b}}", description: "{{a}}{{a}} {{ b }} {{not a name}} {a} {{}} {{1x}}" },
        { name: "then", sequence: 2, depends_on: ["{{a}} and {{b}}"] },
      ]),
    );
    expect(await madeWith(house, template, { a: "{{b}}", b: "$& $1 {{constructor}} {{a}}" })).toEqual([
      {
        name: "{{b}} and $& $1 {{constructor}} {{a}}",
        summary: "{{b}}{{b}} $& $1 {{constructor}} {{a}} {{not a name}} {a} {{}} {{1x}}",
        depends_on: [],
      },
      { name: "then", summary: "Do it.", depends_on: ["{{b}} and $& $1 {{constructor}} {{a}}"] },
    ]);
  });

  test("[TP10] template_apply names every variable that has no value with MISSING_VARIABLES", async () => {
    const house = await open();
    const variables = [
      { name: "declared", description: "Not used.", required: true },
      { name: "optional", description: "May be left out.", required: false },
      { name: "fallback", description: "Has a default.", required: true, default: "usual" },
    ];
    const template = await newTemplate(
      house,
      definition([{ name: "{{used}} {{fallback}}", description: "{{optional}}|{{again}}{{used}}" }], variables),
    );
    const trace = await traceOf(house, async () => {
      expect(await apply(house, template)).toMatchObject({
        ok: false,
        failure: { code: "MISSING_VARIABLES", missing: ["used", "again", "declared"] },
      });
    });
    expect(trace).toEqual({ work: [], usage: [wasRefused("template_apply", "MISSING_VARIABLES")] });
    expect(await madeWith(house, template, { used: "x", again: "y", declared: "z" })).toEqual([
      { name: "x usual", summary: "|yx", depends_on: [] },
    ]);
    expect(
      await madeWith(house, template, { used: "x", again: "y", declared: "z", fallback: "own", optional: "o" }),
    ).toEqual([{ name: "x own", summary: "o|yx", depends_on: [] }]);
  });

  test("[TP10] what every object has is nobody's value", async () => {
    const house = await open();
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"];
    const template = await newTemplate(house, definition(names.map((name) => ({ name: `Make the {{${name}}}` }))));
    expect(await apply(house, template)).toMatchObject({
      ok: false,
      failure: { code: "MISSING_VARIABLES", missing: names },
    });
    const own = await newTemplate(house, definition([{ name: "Make the {{constructor}}" }]));
    expect(await madeWith(house, own, { constructor: "bridge" })).toMatchObject([{ name: "Make the bridge" }]);
  });

  test("[TP10] a value nobody asks for is refused with INVALID_INPUT", async () => {
    const house = await open();
    const template = await newTemplate(house, definition([{ name: "a {{b}}" }]));
    expect(await apply(house, template, { b: "1", c: "2" })).toMatchObject({
      ok: false,
      failure: { code: "INVALID_INPUT", unknown: ["c"] },
    });
  });

  const unfit: { what: string; tasks: TaskAsk[]; values: Record<string, string>; code: string }[] = [
    { what: "an empty name", tasks: [{ name: "{{a}}" }], values: { a: " " }, code: "INVALID_INPUT" },
    { what: "a name too long", tasks: [{ name: "{{a}}" }], values: { a: "x".repeat(201) }, code: "INVALID_INPUT" },
    {
      what: "a text too long",
      tasks: [{ name: "a", description: "{{a}}".repeat(4_000) }],
      values: { a: "x".repeat(5_000) },
      code: "TOO_LARGE",
    },
    {
      what: "two tasks of one name",
      tasks: [{ name: "{{a}}" }, { name: "{{b}}" }],
      values: { a: "same", b: "same" },
      code: "DUPLICATE_TASK_NAME",
    },
  ];
  for (const { what, tasks, values, code } of unfit) {
    test(`[TP11] template_apply refuses values that make ${what} with ${code}, and leaves nothing behind`, async () => {
      const house = await open();
      const template = await newTemplate(house, definition(tasks));
      const trace = await traceOf(house, async () => {
        expect(await apply(house, template, values)).toMatchObject({ ok: false, failure: { code } });
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("template_apply", code)] });
      expect(await house.call("workflow_list", {})).toMatchObject({ total: 0 });
    });
  }

  test("[TP12] everything about a workflow's tasks that can be used again is, and nothing that came of them", async () => {
    const house = await open();
    const { id, task } = await planned(house, [
      {
        name: "a",
        parallel_group: "g",
        estimated_complexity: "high",
        files_likely_affected: ["src/a.ts"],
        required_capabilities: ["rust"],
      },
      { name: "b", sequence: 2, depends_on: ["a"] },
    ]);
    await house.call("task_set_plan", { id: task("a"), plan: { approach: "Secret", steps: [] } });
    await bring(house, task("a"), "completed");
    const { id: template } = await house.call<{ id: string }>("template_create", {
      name: "Again",
      from_workflow_id: id,
    });
    const made = await house.call<{ workflow_id: string }>("template_apply", {
      template_id: template,
      workflow_name: "Second",
    });
    const again = await taskIds(house, made.workflow_id);
    expect(await house.call("task_get", { id: again("a") })).toMatchObject({
      description: "Do a.",
      sequence: 1,
      parallel_group: "g",
      estimated_complexity: "high",
      files_likely_affected: ["src/a.ts"],
      required_capabilities: ["rust"],
      status: "pending",
      plan: null,
      outcome: null,
      claimed_by: null,
    });
    expect(await house.call("task_get", { id: again("b") })).toMatchObject({ status: "blocked", depends_on: ["a"] });
  });
});

/** A file is not checked when it is written, so what is wrong with it shows when it is used. */
const inFiles: { what: string; tasks: TaskAsk[]; code: string }[] = [
  { what: "a task that waits for itself", tasks: [{ name: "a", depends_on: ["a"] }], code: "SELF_DEPENDENCY" },
  {
    what: "a task that waits for an unknown one",
    tasks: [{ name: "a", depends_on: ["b"] }],
    code: "UNKNOWN_DEPENDENCY",
  },
  { what: "two tasks of one name", tasks: [{ name: "a" }, { name: "a" }], code: "DUPLICATE_TASK_NAME" },
  {
    what: "a circle",
    tasks: [
      { name: "a", depends_on: ["b"] },
      { name: "b", depends_on: ["a"] },
    ],
    code: "INVALID_INPUT",
  },
];

test.each(inFiles)("[TP11] template_apply refuses a file with $what with $code", async ({ tasks, code }) => {
  const file = { id: "file:/srv/code/shop/bad.json", name: "bad", content: { tasks } };
  const house = await openTestHouse("sqlite", { ports: { template: { readFiles: async () => [file] } } });
  const trace = await traceOf(house, async () => {
    expect(await apply(house, file.id)).toMatchObject({ ok: false, failure: { code } });
  });
  expect(trace.work).toEqual([]);
});
