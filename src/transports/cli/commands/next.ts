import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { readTask } from "../names.ts";
import { resolveId } from "../record.ts";
import type { Shell } from "../shell.ts";
import { cleanText, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type NextTask = AnswerOf<"workflow_next_tasks">["tasks"][number];

/** What to begin with, and how; or nothing that can begin. */
type Choice =
  | {
      readonly task: NextTask;
      readonly number: number | undefined;
      readonly workflow_id: string;
      readonly claim: string;
    }
  | { readonly task: null };

interface Options {
  readonly workflow?: string;
  readonly watch?: true;
}

/** Workflows are looked through newest first, and only so many of them. */
const mostWorkflows = 50;

export function addNext(shell: Shell): void {
  const command = shell
    .add({
      name: "next",
      summary: "Show the task to start next, and how to take it",
      examples: ["next", "next --workflow wf_…", "next --watch", "next --json"],
    })
    .option("--workflow <id>", "only this workflow (id, beginning of an id, or name)")
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { workflow, watch = false }) => {
    const api = await openApi(context);
    const id = workflow === undefined ? undefined : await resolveId(api, "workflow", workflow);
    await showOrWatch(context, watch, async () => {
      const choice = await choose(api, id);
      return context.isJson ? [toJson(choice)] : choiceLines(choice);
    });
    return undefined;
  });
}

async function choose(api: Api, workflow: string | undefined): Promise<Choice> {
  const ids = workflow === undefined ? await listUnderWay(api) : [workflow];
  for (const workflow_id of ids) {
    const next = await api.call("workflow_next_tasks", { workflow_id }).catch((error: unknown) => {
      // Somebody private's stands in the list, and nobody else can look into it.
      if (workflow === undefined && error instanceof Refusal && error.code === "WORKFLOW_NOT_FOUND") return undefined;
      throw error;
    });
    const [task] = next && next.recommended_count > 0 ? next.tasks : [];
    if (task) {
      const claim = `crewdeck call task_claim --task-id ${task.id} --agent-id AGENT`;
      return { task, number: (await readTask(api, task.id)).number, workflow_id, claim };
    }
  }
  return { task: null };
}

async function listUnderWay(api: Api): Promise<string[]> {
  const { workflows } = await api.call("workflow_list", {
    status: ["in_progress", "ready"],
    limit: mostWorkflows,
  });
  return workflows.map(({ id }) => id);
}

function choiceLines(choice: Choice): string[] {
  if (choice.task === null) return ["No task is ready. See what is blocked with: crewdeck board"];
  const { task, number } = choice;
  const called = number ?? task.id;
  return [
    `${cleanText(task.name)}${number === undefined ? "" : `  #${number}`}`,
    ...(task.description === "" ? [] : [`  ${cleanText(task.description)}`]),
    "",
    `Start an agent on it: crewdeck agent start --task ${called}`,
    `Assign it to one: crewdeck call task_claim --task-id ${called} --agent-id NAME`,
  ];
}
