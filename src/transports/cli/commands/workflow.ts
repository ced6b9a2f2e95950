import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { answer } from "../context.ts";
import { drawGraph } from "../graph.ts";
import type { Shell } from "../shell.ts";
import { cleanText, shorten, table, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Workflow = AnswerOf<"workflow_get">;

export function addWorkflows(shell: Shell): void {
  const group = shell.add({
    name: "workflow",
    summary: "Pieces of work that several tasks and agents share",
    examples: ["workflow list", "workflow show wf_…"],
  });
  const list = shell.add({ name: "list", summary: "Show the newest workflows", examples: ["workflow list"] }, group);
  shell.does(list, async (context) => {
    const api = await openApi(context);
    const { workflows } = await api.call("workflow_list", { limit: 50 });
    answer(context, { workflows }, () =>
      workflows.length === 0
        ? ["There is no workflow yet. Create one: crewdeck call workflow_create --help"]
        : table(workflows.map(({ id, name, status }) => [id, status, shorten(cleanText(name), 60)])),
    );
    return undefined;
  });
  const show = shell
    .add(
      {
        name: "show <id>",
        summary: "Draw a workflow: its tasks, what they wait for, who holds them",
        examples: ["workflow show wf_…", "workflow show wf_… --watch"],
      },
      group,
    )
    .option("--watch", "draw it again whenever it changes, until Ctrl-C");
  shell.does<{ watch?: true }>(show, async (context, { watch }, [id]) => {
    const api = await openApi(context);
    await showOrWatch(context, watch ?? false, async () => {
      const workflow = await readWorkflow(api, id ?? "");
      return context.isJson ? [toJson(workflow)] : workflowLines(workflow);
    });
    return undefined;
  });
}

const readWorkflow = (api: Api, id: string): Promise<Workflow> => api.call("workflow_get", { id, include_tasks: true });

function workflowLines(workflow: Workflow): string[] {
  const tasks = workflow.tasks ?? [];
  const finished = tasks.filter(({ status }) => status === "completed" || status === "skipped").length;
  return [
    `${cleanText(workflow.name)}  ${workflow.status}  ${finished} of ${tasks.length} finished`,
    ...(workflow.plan_summary === null ? [] : [shorten(cleanText(workflow.plan_summary), 200)]),
    "",
    ...(tasks.length === 0 ? ["It has no plan yet: crewdeck call workflow_set_plan --help"] : drawGraph(tasks)),
  ];
}
