import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export type WorkflowLine = AnswerOf<"workflow_list">["workflows"][number];

export const workflowsReading: Reading<readonly WorkflowLine[]> = {
  key: "workflows",
  async load(signal) {
    const { workflows } = await read("/api/workflows", { limit: 100 }, signal);
    for (const { id, name } of workflows) learnName(id, name);
    return workflows;
  },
  applyEvent: (lines, event) => (concerns(lines, event) ? readAgain : lines),
};

/** A new one, a change to one that is listed, or to how far it is. */
function concerns(lines: readonly WorkflowLine[], event: LiveEvent): boolean {
  if (progressKinds.includes(event.kind)) {
    const workflow = textIn(event.data, "workflow_id");
    return workflow === undefined || lines.some(({ id }) => id === workflow);
  }
  if (!event.kind.startsWith("workflow.")) return false;
  if (event.kind === "workflow.created") return textIn(event.data, "kind") === "workflow";
  return lines.some((line) => line.id === event.subject);
}

const progressKinds = ["task.created", "task.statusChanged", "task.completed", "task.cancelled"];

const finished = ["completed", "abandoned"];

/** What is under way first, newest first; what is over only when it is asked for. */
export function chooseWorkflows(
  lines: readonly WorkflowLine[],
  { text, show }: { text: string; show: "open" | "all" },
): WorkflowLine[] {
  const wanted = text.trim().toLowerCase();
  return lines
    .filter((line) => show === "all" || !finished.includes(line.status))
    .filter((line) =>
      `${line.name} ${line.developer} ${line.repository_path ?? ""} ${line.plan_summary ?? ""}`
        .toLowerCase()
        .includes(wanted),
    )
    .sort(
      (one, other) =>
        Number(finished.includes(one.status)) - Number(finished.includes(other.status)) ||
        other.updated_at.localeCompare(one.updated_at),
    );
}
