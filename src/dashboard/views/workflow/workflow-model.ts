import type { AnswerOf } from "../../../tools/calls.ts";
import { learnAgents } from "../../data/agents.ts";
import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName, nameOf } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type Workflow = AnswerOf<"workflow_get">;
export type Step = NonNullable<Workflow["tasks"]>[number];
export type StepNote = Pick<
  AnswerOf<"note_list">["notes"][number],
  "id" | "task_id" | "kind" | "summary" | "superseded" | "created_at"
>;

export interface WorkflowDetail extends Omit<Workflow, "tasks"> {
  readonly steps: readonly Step[];
  readonly notes: readonly StepNote[];
}

export function workflowReading(id: string): Reading<WorkflowDetail> {
  return {
    key: `workflow ${id}`,
    async load(signal) {
      const [{ tasks = [], ...workflow }, { notes }] = await Promise.all([
        read("/api/workflows/:id", { id }, signal),
        read("/api/workflows/:id/notes", { id, limit: 2_000 }, signal),
      ]);
      learnName(workflow.id, workflow.name);
      for (const step of tasks) learnName(step.id, step.name);
      if (tasks.some((step) => step.claimed_by !== null && nameOf(step.claimed_by) === undefined))
        await learnAgents(signal);
      return { ...workflow, steps: tasks, notes };
    },
    applyEvent: applyToWorkflow,
  };
}

/** Who holds a task is told by the event itself; what else happens to a task may free others, so it is read. */
export function applyToWorkflow(detail: WorkflowDetail, event: LiveEvent): WorkflowDetail | typeof readAgain {
  if (event.subject === detail.id) return readAgain;
  if (textIn(event.data, "workflow_id") !== detail.id) return detail;
  if (event.kind !== "task.claimed") return readAgain;
  const holder = textIn(event.data, "agent_id");
  if (holder === undefined || nameOf(holder) === undefined) return readAgain;
  return {
    ...detail,
    steps: detail.steps.map((step) => (step.id === event.subject ? { ...step, claimed_by: holder } : step)),
  };
}

interface Tally {
  readonly status: Step["status"];
  readonly count: number;
}

const tallyOrder: readonly Step["status"][] = [
  "in_progress",
  "planning",
  "blocked",
  "failed",
  "paused",
  "pending",
  "completed",
  "skipped",
];

/** How many steps are in each status, what needs looking at first. */
export function tally(steps: readonly Step[]): Tally[] {
  const counts = new Map<Step["status"], number>();
  for (const { status } of steps) counts.set(status, (counts.get(status) ?? 0) + 1);
  return tallyOrder.flatMap((status) => {
    const count = counts.get(status);
    return count === undefined ? [] : [{ status, count }];
  });
}

/** To wait for others is the ordinary course of a plan, and no cause for alarm. */
export const markOf = (step: Pick<Step, "status">): string => (step.status === "blocked" ? "waits" : step.status);

export const isOver = (step: Pick<Step, "status">): boolean => step.status === "completed" || step.status === "skipped";

/** The share of the steps that is behind us, 0 to 100. */
export const percentDone = (steps: readonly Step[]): number =>
  steps.length === 0 ? 0 : Math.round((100 * steps.filter(isOver).length) / steps.length);
