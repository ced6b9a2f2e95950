import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { newWorkflow, planned } from "./work.ts";

const task = { name: "Release {{version}}", description: "Tag it.", sequence: 1 };
const template = { tasks: [task] };

interface Listed {
  readonly templates: readonly { id: string; name: string; template: { variables: unknown[]; tasks: object[] } }[];
}

const listed = async (house: TestHouse, name: string) =>
  (await house.call<Listed>("template_list")).templates.find((one) => one.name === name);

forEachStillStore("making a template", (open) => {
  test("[TP1] creating answers its id and records it", async () => {
    const house = await open();
    let reply: Record<string, unknown> = {};
    const trace = await traceOf(house, async () => {
      reply = await house.call("template_create", { name: " Release ", description: "Ship it.", template });
    });
    const id = String(reply["id"]);
    expect(reply).toEqual({ id: expect.stringMatching(/^tmpl_[0-9a-z]{26}$/) });
    expect(trace).toEqual({
      work: [
        {
          kind: "template.created",
          announced: "template:created",
          subject: id,
          channels: [`template:${id}`],
          data: { name: "Release", tasks: 1 },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("template_create")],
    });
    expect(await listed(house, "Release")).toEqual({
      id,
      name: "Release",
      description: "Ship it.",
      task_count: 1,
      template: {
        tasks: [{ ...task, parallel_group: null, depends_on: [] }],
        variables: [{ name: "version", description: "", required: true }],
      },
      created_at: momentAt(0),
      updated_at: momentAt(0),
    });
  });

  test("[TP2] three templates are there from the start, each asking for one thing", async () => {
    const house = await open();
    const { templates } = await house.call<Listed>("template_list");
    expect(templates.map((one) => one.id)).toEqual(["builtin:feature", "builtin:bugfix", "builtin:refactor"]);
    for (const one of templates) {
      expect(one.template.variables.length).toBe(1);
      expect(one).toMatchObject({ created_at: null, updated_at: null });
      const [variable] = one.template.variables as { name: string }[];
      const variables = { [variable?.name ?? ""]: "the thing" };
      await house.call("template_apply", { template_id: one.id, workflow_name: one.name, variables });
    }
  });

  test("[TP3] variables that are only used are listed after those that are declared", async () => {
    const house = await open();
    const declared = { name: "unused", description: "Why not.", required: false, default: "x" };
    const tasks = [{ ...task, description: "{{who}} {{version}} {{unused}}" }];
    await house.call("template_create", { name: "T", template: { tasks, variables: [declared] } });
    expect((await listed(house, "T"))?.template.variables).toEqual([
      declared,
      { name: "version", description: "", required: true },
      { name: "who", description: "", required: true },
    ]);
  });

  test("[TP3] of a large template the first hundred tasks are listed, in short", async () => {
    const house = await open();
    const tasks = Array.from({ length: 150 }, (_, at) => ({
      name: `t${at}`,
      description: "x".repeat(500),
      sequence: at,
    }));
    await house.call("template_create", { name: "Large", template: { tasks } });
    const found = await listed(house, "Large");
    expect(found).toMatchObject({ task_count: 150 });
    expect(found?.template.tasks.length).toBe(100);
    expect(found?.template.tasks[0]).toMatchObject({ description: `${"x".repeat(199)}…` });
  });

  const faults: { rule: string; what: string; args: Record<string, unknown>; code: string }[] = [
    { rule: "TP4", what: "neither a workflow nor a definition", args: {}, code: "INVALID_INPUT" },
    { rule: "TP4", what: "both", args: { template, from_workflow_id: "wf_any" }, code: "INVALID_INPUT" },
    {
      rule: "TP4",
      what: "a workflow that does not exist",
      args: { from_workflow_id: "wf_none" },
      code: "WORKFLOW_NOT_FOUND",
    },
    {
      rule: "TP5",
      what: "the name of a built-in one",
      args: { name: "feature", template },
      code: "DUPLICATE_TEMPLATE",
    },
    {
      rule: "TP6",
      what: "two tasks of one name",
      args: { template: { tasks: [task, task] } },
      code: "DUPLICATE_TASK_NAME",
    },
    {
      rule: "TP6",
      what: "a task that waits for itself",
      args: { template: { tasks: [{ ...task, depends_on: [task.name] }] } },
      code: "SELF_DEPENDENCY",
    },
    {
      rule: "TP6",
      what: "a task that waits for an unknown one",
      args: { template: { tasks: [{ ...task, depends_on: ["Nothing"] }] } },
      code: "UNKNOWN_DEPENDENCY",
    },
    {
      rule: "TP6",
      what: "a circle",
      args: {
        template: {
          tasks: [
            { ...task, name: "a", depends_on: ["b"] },
            { ...task, name: "b", depends_on: ["a"] },
          ],
        },
      },
      code: "INVALID_INPUT",
    },
    {
      rule: "TP6",
      what: "a variable declared twice",
      args: {
        template: { ...template, variables: Array(2).fill({ name: "version", description: "", required: true }) },
      },
      code: "INVALID_INPUT",
    },
    {
      rule: "TP7",
      what: "more than 1 MiB",
      args: {
        template: {
          tasks: Array.from({ length: 60 }, (_, at) => ({ ...task, name: `t${at}`, description: "x".repeat(19_000) })),
        },
      },
      code: "TOO_LARGE",
    },
  ];
  for (const { rule, what, args, code } of faults) {
    test(`[${rule}] template_create refuses ${what} with ${code}`, async () => {
      const house = await open();
      const trace = await traceOf(house, async () => {
        expect(await house.refusal("template_create", { name: "New", ...args })).toBe(code);
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("template_create", code)] });
      expect(await listed(house, "New")).toBeUndefined();
    });
  }

  test("[TP4] template_create from a workflow without tasks is refused with INVALID_STATE", async () => {
    const house = await open();
    const args = { name: "New", from_workflow_id: await newWorkflow(house) };
    expect(await house.refusal("template_create", args)).toBe("INVALID_STATE");
  });

  test("[TP5] a name is given once, also when two want it at the same moment", async () => {
    const house = await open();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => house.reply("template_create", { name: "Wanted", template })),
    );
    expect(replies.filter((reply) => reply.ok).length).toBe(1);
    for (const reply of replies) if (!reply.ok) expect(reply.failure.code).toBe("DUPLICATE_TEMPLATE");
  });

  test("[TP4] anyone in the team may make a template of any workflow and use any template", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const { id } = await planned(house, [{ name: "a" }]);
    const made = await house.call<{ id: string }>("template_create", { name: "His", from_workflow_id: id }, bob);
    await house.call("template_apply", { template_id: made.id, workflow_name: "Mine" });
  });
});
