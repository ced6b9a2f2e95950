import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText } from "../text.ts";

interface NextTask {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Workflows are looked through newest first, and only so many of them. */
const mostWorkflows = 50;

export function addNext(shell: Shell): void {
  const command = shell
    .add({
      name: "next",
      summary: "Pick the one task to begin with now, and the command that claims it",
      examples: ["next", "next --workflow wf_…", "next --json"],
    })
    .option("--workflow <id>", "only of this workflow");
  shell.does<{ workflow?: string }>(command, async (context, { workflow }) => {
    const api = await openApi(context);
    const ids = workflow === undefined ? await listUnderWay() : [workflow];
    for (const workflow_id of ids) {
      const next = await api.call<{ tasks: NextTask[]; recommended_count: number }>("workflow_next_tasks", {
        workflow_id,
      });
      const [task] = next.recommended_count > 0 ? next.tasks : [];
      if (task) {
        const claim = `crewdeck call task_claim --task-id ${task.id} --agent-id AGENT`;
        answer(context, { task, workflow_id, claim }, () => [
          cleanText(task.name),
          ...(task.description === "" ? [] : [`  ${cleanText(task.description)}`]),
          "",
          `Claim it: ${claim}`,
        ]);
        return undefined;
      }
    }
    answer(context, { task: null }, () => ["Nothing can begin now. See what holds things up: crewdeck board"]);
    return undefined;

    async function listUnderWay(): Promise<string[]> {
      const { workflows } = await api.call<{ workflows: { id: string }[] }>("workflow_list", {
        status: ["in_progress", "ready"],
        limit: mostWorkflows,
      });
      return workflows.map(({ id }) => id);
    }
  });
}
