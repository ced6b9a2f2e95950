import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { answer } from "../context.ts";
import { drawGraph } from "../graph.ts";
import { nameRecords, readNumbers } from "../names.ts";
import { resolveId } from "../record.ts";
import { paint, type Screen, styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { agoText, cleanText, count, shorten, shortIds, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Workflow = AnswerOf<"workflow_get">;

export function addWorkflows(shell: Shell): void {
  const group = shell.add({
    name: "workflow",
    summary: "List and show workflows",
    examples: ["workflow list", 'workflow show "Faster checkout"'],
  });
  const list = shell
    .add({ name: "list", summary: "List workflows, newest first", examples: ["workflow list --limit 10"] }, group)
    .option("--limit <number>", "maximum number of workflows", "50");
  shell.does<{ limit: string }>(list, async (context, { limit }) => {
    const api = await openApi(context);
    const { workflows } = await api.call("workflow_list", { limit: Number(limit) });
    answer(context, { workflows }, () => {
      if (workflows.length === 0) return ["No workflows. Create one with: crewdeck call workflow_create --help"];
      const short = shortIds(workflows.map(({ id }) => id));
      const rows = workflows.map(({ id, name, status, updated_at }) => [
        short(id),
        { text: status, style: styleOf(status) },
        name,
        agoText(updated_at),
      ]);
      return table(rows, {
        screen: context.screen,
        heading: ["ID", "STATUS", "NAME", "UPDATED"],
        flexible: [2],
        optional: [3],
      });
    });
    return undefined;
  });
  const show = shell
    .add(
      {
        name: "show <id>",
        summary: "Show a workflow's tasks, dependencies and agents",
        examples: ['workflow show "Faster checkout"', "workflow show wf_… --watch"],
      },
      group,
    )
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<{ watch?: true }>(show, async (context, { watch }, [given = ""]) => {
    const api = await openApi(context);
    const id = await resolveId(api, "workflow", given);
    await showOrWatch(context, watch ?? false, () => showWorkflow(api, id, context));
    return undefined;
  });
}

/** A workflow as lines, or as JSON. */
export async function showWorkflow(
  api: Api,
  id: string,
  { isJson, screen }: { readonly isJson: boolean; readonly screen: Screen },
): Promise<string[]> {
  const workflow = await api.call("workflow_get", { id, include_tasks: true });
  if (isJson) return [toJson(workflow)];
  const nameOf = await nameRecords(
    api,
    (workflow.tasks ?? []).map(({ claimed_by }) => claimed_by),
  );
  const numbers = await readNumbers(api, id);
  const tasks = (workflow.tasks ?? []).map((task) => ({ ...task, number: numbers.get(task.id) }));
  return workflowLines({ ...workflow, tasks }, screen, nameOf);
}

type Numbered = Workflow & {
  readonly tasks: readonly (NonNullable<Workflow["tasks"]>[number] & { number?: number | undefined })[];
};

function workflowLines(workflow: Numbered, screen: Screen, nameOf: (id: string) => string): string[] {
  const { tasks } = workflow;
  const finished = tasks.filter(({ status }) => status === "completed" || status === "skipped").length;
  const status = paint(screen, styleOf(workflow.status) ?? "bold", workflow.status);
  return [
    `${paint(screen, "bold", cleanText(workflow.name))}  ${status}  ${finished} of ${count(tasks.length, "task")} completed`,
    ...(workflow.plan_summary === null ? [] : [shorten(cleanText(workflow.plan_summary), 200)]),
    "",
    ...(tasks.length === 0
      ? ["No plan yet. Set one with: crewdeck call workflow_set_plan --help"]
      : drawGraph(
          tasks.map((task) => ({ ...task, claimed_by: task.claimed_by === null ? null : nameOf(task.claimed_by) })),
          screen,
        )),
  ];
}
