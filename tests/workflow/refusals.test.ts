import { describe, expect, test } from "vitest";
import { type ErrorCode, errors } from "../../src/contract/errors.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { forEachStillStore, traceOf, wasRefused } from "../domain/still-house.ts";
import { type Scene, setScene } from "./refusal-scene.ts";
import { planOf } from "./work.ts";

type Args = Record<string, unknown>;
type Case = readonly [code: ErrorCode, args: (scene: Scene) => Args];

const none = "nothing_has_this_id";
const plan = { approach: "Any", steps: [] };
const huge = { huge: "x".repeat(300_000) };
const template = (...tasks: object[]) => ({ tasks: tasks.map((task) => ({ description: "", sequence: 1, ...task })) });
const circle = [
  { name: "a", depends_on: ["b"] },
  { name: "b", depends_on: ["a"] },
];

/** Every refusal that each tool declares, and a call that meets it. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  workflow_create: [
    ["INVALID_INPUT", () => ({ name: "W", source_type: "prompt", source_content: "x", repository_path: "here" })],
  ],
  workflow_get: [["WORKFLOW_NOT_FOUND", () => ({ id: none })]],
  workflow_list: [["INVALID_INPUT", () => ({ repository_path: "here" })]],
  workflow_set_plan: [
    ["WORKFLOW_NOT_FOUND", () => ({ id: none, plan: planOf([{ name: "a" }]) })],
    ["FORBIDDEN", ({ his }) => ({ id: his.workflow, plan: planOf([{ name: "a" }]) })],
    ["INVALID_STATE", ({ my }) => ({ id: my.workflow, plan: planOf([{ name: "a" }]) })],
    ["INVALID_INPUT", ({ my }) => ({ id: my.unplanned, plan: planOf(circle) })],
    ["INVALID_INPUT", ({ my }) => ({ id: my.unplanned, plan: planOf([{ name: "NUL \u0000" }]) })],
    ["DUPLICATE_TASK_NAME", ({ my }) => ({ id: my.unplanned, plan: planOf([{ name: "a" }, { name: "a" }]) })],
    ["SELF_DEPENDENCY", ({ my }) => ({ id: my.unplanned, plan: planOf([{ name: "a", depends_on: ["a"] }]) })],
    ["UNKNOWN_DEPENDENCY", ({ my }) => ({ id: my.unplanned, plan: planOf([{ name: "a", depends_on: ["b"] }]) })],
  ],
  workflow_update_status: [
    ["WORKFLOW_NOT_FOUND", () => ({ id: none, status: "ready" })],
    ["FORBIDDEN", ({ his }) => ({ id: his.workflow, status: "in_progress" })],
    ["INVALID_TRANSITION", ({ my }) => ({ id: my.workflow, status: "completed" })],
  ],
  workflow_set_parallelism: [
    ["WORKFLOW_NOT_FOUND", () => ({ id: none, max_parallel_tasks: 2 })],
    ["FORBIDDEN", ({ his }) => ({ id: his.workflow, max_parallel_tasks: 2 })],
  ],
  workflow_next_tasks: [["WORKFLOW_NOT_FOUND", () => ({ workflow_id: none })]],
  workflow_progress: [["WORKFLOW_NOT_FOUND", () => ({ workflow_id: none })]],
  workflow_get_summary: [["WORKFLOW_NOT_FOUND", () => ({ id: none })]],
  task_get: [["TASK_NOT_FOUND", () => ({ id: none })]],
  task_set_plan: [
    ["TASK_NOT_FOUND", () => ({ id: none, plan })],
    ["FORBIDDEN", ({ his }) => ({ id: his.task, plan })],
    ["INVALID_STATE", ({ my }) => ({ id: my.done, plan })],
    ["NOT_CLAIMED", ({ my }) => ({ id: my.held, plan, fence: 0 })],
    ["TOO_LARGE", ({ my }) => ({ id: my.task, plan, context: huge })],
  ],
  task_update_status: [
    ["TASK_NOT_FOUND", () => ({ id: none, status: "planning" })],
    ["TASK_NOT_FOUND", () => ({ id: none, status: "blocked" })],
    ["FORBIDDEN", ({ his }) => ({ id: his.task, status: "planning" })],
    ["INVALID_TRANSITION", ({ my }) => ({ id: my.task, status: "paused" })],
    ["INVALID_TRANSITION", ({ my }) => ({ id: my.task, status: "blocked" })],
    ["TASK_BLOCKED", ({ my }) => ({ id: my.waiting, status: "planning" })],
    ["MISSING_OUTCOME", ({ my }) => ({ id: my.running, status: "completed" })],
    ["MISSING_ERROR", ({ my }) => ({ id: my.running, status: "failed" })],
    ["NOT_CLAIMED", ({ my }) => ({ id: my.held, status: "planning", fence: 0 })],
    ["TOO_LARGE", ({ my }) => ({ id: my.running, status: "completed", outcome: "x", outcome_detail: huge })],
  ],
  task_replan: [
    ["TASK_NOT_FOUND", () => ({ id: none, reason: "Why not", new_plan: plan })],
    ["FORBIDDEN", ({ his }) => ({ id: his.running, reason: "Why not", new_plan: plan })],
    ["INVALID_TRANSITION", ({ my }) => ({ id: my.task, reason: "Why not", new_plan: plan })],
    ["NOT_CLAIMED", ({ my }) => ({ id: my.running, reason: "Why not", new_plan: plan, fence: 7 })],
  ],
  task_claim: [
    ["TASK_NOT_FOUND", ({ my }) => ({ task_id: none, agent_id: my.agent })],
    ["AGENT_NOT_FOUND", ({ my }) => ({ task_id: my.task, agent_id: none })],
    ["FORBIDDEN", ({ my, his }) => ({ task_id: my.task, agent_id: his.agent })],
    ["INVALID_STATE", ({ my }) => ({ task_id: my.done, agent_id: my.agent })],
    ["INVALID_STATE", ({ my }) => ({ task_id: my.task, agent_id: my.offline })],
  ],
  task_release: [
    ["TASK_NOT_FOUND", ({ my }) => ({ task_id: none, agent_id: my.agent })],
    ["AGENT_NOT_FOUND", ({ my }) => ({ task_id: my.held, agent_id: none })],
    ["FORBIDDEN", ({ my, his }) => ({ task_id: my.held, agent_id: his.agent })],
    ["NOT_CLAIMED", ({ my }) => ({ task_id: my.task, agent_id: my.agent })],
  ],
  task_get_available: [
    ["AGENT_NOT_FOUND", () => ({ agent_id: none })],
    ["FORBIDDEN", ({ his }) => ({ agent_id: his.agent })],
    ["WORKFLOW_NOT_FOUND", ({ my }) => ({ agent_id: my.agent, workflow_id: none })],
  ],
  task_check_dependencies: [["TASK_NOT_FOUND", () => ({ task_id: none })]],
  task_load_context: [["TASK_NOT_FOUND", () => ({ task_id: none })]],
  checkpoint_add: [
    ["TASK_NOT_FOUND", () => ({ task_id: none, type: "progress", summary: "x" })],
    ["FORBIDDEN", ({ his }) => ({ task_id: his.task, type: "progress", summary: "x" })],
    ["NOT_CLAIMED", ({ my }) => ({ task_id: my.held, type: "progress", summary: "x", fence: 0 })],
    ["TOO_LARGE", ({ my }) => ({ task_id: my.task, type: "progress", summary: "x", detail: huge })],
  ],
  checkpoint_list: [["TASK_NOT_FOUND", () => ({ task_id: none })]],
  workspace_create: [
    ["WORKFLOW_NOT_FOUND", () => ({ workflow_id: none, path: "/srv/a", branch: "a" })],
    ["FORBIDDEN", ({ his }) => ({ workflow_id: his.workflow, path: "/srv/a", branch: "a" })],
    ["TASK_NOT_FOUND", ({ my }) => ({ workflow_id: my.workflow, path: "/srv/a", branch: "a", task_ids: [none] })],
    [
      "WORKFLOW_MISMATCH",
      ({ my }) => ({ workflow_id: my.unplanned, path: "/srv/a", branch: "a", task_ids: [my.task] }),
    ],
    ["INVALID_INPUT", ({ my }) => ({ workflow_id: my.workflow, path: "a", branch: "a" })],
    ["INVALID_INPUT", ({ my }) => ({ workflow_id: my.workflow, path: "/srv/a", branch: "-a" })],
  ],
  workspace_update: [
    ["WORKSPACE_NOT_FOUND", () => ({ id: none, status: "abandoned" })],
    ["FORBIDDEN", ({ his }) => ({ id: his.workspace, status: "abandoned" })],
    ["INVALID_TRANSITION", ({ my }) => ({ id: my.gone, status: "active" })],
    ["MISSING_MERGE_COMMIT", ({ my }) => ({ id: my.workspace, status: "merged" })],
  ],
  workspace_list: [["WORKFLOW_NOT_FOUND", () => ({ workflow_id: none })]],
  task_assign_workspace: [
    ["TASK_NOT_FOUND", ({ my }) => ({ task_id: none, workspace_id: my.workspace })],
    ["WORKSPACE_NOT_FOUND", ({ my }) => ({ task_id: my.task, workspace_id: none })],
    ["FORBIDDEN", ({ his }) => ({ task_id: his.task, workspace_id: his.workspace })],
    ["WORKFLOW_MISMATCH", ({ my, his }) => ({ task_id: my.task, workspace_id: his.workspace })],
    ["INVALID_STATE", ({ my }) => ({ task_id: my.task, workspace_id: my.gone })],
  ],
  template_create: [
    ["INVALID_INPUT", () => ({ name: "T" })],
    ["INVALID_STATE", ({ my }) => ({ name: "T", from_workflow_id: my.unplanned })],
    ["WORKFLOW_NOT_FOUND", () => ({ name: "T", from_workflow_id: none })],
    ["DUPLICATE_TEMPLATE", () => ({ name: "bugfix", template: template({ name: "a" }) })],
    ["DUPLICATE_TASK_NAME", () => ({ name: "T", template: template({ name: "a" }, { name: "a" }) })],
    ["SELF_DEPENDENCY", () => ({ name: "T", template: template({ name: "a", depends_on: ["a"] }) })],
    ["UNKNOWN_DEPENDENCY", () => ({ name: "T", template: template({ name: "a", depends_on: ["b"] }) })],
    [
      "TOO_LARGE",
      () => ({
        name: "T",
        template: template(
          ...Array.from({ length: 60 }, (_, at) => ({ name: `${at}`, description: "x".repeat(19_000) })),
        ),
      }),
    ],
  ],
  template_apply: [
    ["TEMPLATE_NOT_FOUND", () => ({ template_id: none, workflow_name: "W" })],
    ["MISSING_VARIABLES", () => ({ template_id: "builtin:bugfix", workflow_name: "W" })],
    ["INVALID_INPUT", () => ({ template_id: "builtin:bugfix", workflow_name: "W", variables: { bug: "b", x: "y" } })],
    [
      "INVALID_INPUT",
      () => ({ template_id: "builtin:bugfix", workflow_name: "W", variables: { bug: "b".repeat(300) } }),
    ],
  ],
  template_list: [],
};

/** Needs folders on the server's disk, or templates of a certain kind; raised where those are tried. */
const elsewhere: Readonly<Record<string, readonly ErrorCode[]>> = {
  template_apply: ["TOO_LARGE", "DUPLICATE_TASK_NAME", "SELF_DEPENDENCY", "UNKNOWN_DEPENDENCY"],
  workspace_create: ["MISSING_REPO_PATH", "REPOSITORY_NOT_FOUND", "CONFLICT", "GIT_ERROR", "CAPABILITY_MISSING"],
  workspace_update: ["INVALID_STATE"],
};

forEachStillStore("refusals of the workflow family", (open) => {
  for (const [tool, list] of Object.entries(cases)) {
    test(`[TK31] ${tool} refuses with every code it declares, says what to do, and changes nothing`, async () => {
      const scene = await setScene(await open());
      const { house } = scene;
      const words = expect.stringMatching(/\S/);
      const trace = await traceOf(house, async () => {
        for (const [code, args] of list) {
          const reply = await house.reply(tool, args(scene));
          expect(reply, code).toMatchObject({
            ok: false,
            failure: { code, namespaceCode: `crewdeck.${errors[code].kind}`, message: words, hint: words },
          });
        }
      });
      expect(trace).toEqual({ work: [], usage: list.map(([code]) => wasRefused(tool, code)) });
    });
  }
});

describe("the table of refusals", () => {
  const nouns = ["workflow", "task", "checkpoint", "workspace", "template"];
  const tools = catalog.filter(({ name, family }) => family === "workflow" && nouns.includes(name.split("_")[0] ?? ""));

  test.each(tools)("[TK31] has all that $name declares and nothing else", ({ name, refusals }) => {
    const met = new Set([...(cases[name] ?? []).map(([code]) => code), ...(elsewhere[name] ?? [])]);
    expect([...met].sort()).toEqual([...refusals].sort());
  });
});
