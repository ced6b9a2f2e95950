import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName, nameOf } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

/** A task as `GET /api/workflows/:id` lists it. */
export interface Step {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly parallel_group: string | null;
  readonly status: string;
  readonly claimed_by: string | null;
  readonly depends_on: readonly string[];
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly summary?: string;
}

export interface StepNote {
  readonly id: string;
  readonly task_id: string | null;
  readonly kind: string;
  readonly summary: string;
  readonly superseded: boolean;
  readonly created_at: string;
}

export interface WorkflowDetail {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly status_reason: string | null;
  readonly repository_path: string | null;
  readonly max_parallel_tasks: number;
  readonly plan: { readonly summary: string; readonly approach: string } | null;
  readonly source_content: string;
  readonly created_at: string;
  readonly steps: readonly Step[];
  readonly notes: readonly StepNote[];
}

export function workflowReading(id: string): Reading<WorkflowDetail> {
  const address = `/api/workflows/${encodeURIComponent(id)}`;
  return {
    key: `workflow ${id}`,
    async load(signal) {
      const [{ tasks = [], ...workflow }, { notes }] = await Promise.all([
        read<Omit<WorkflowDetail, "steps" | "notes"> & { tasks?: Step[] }>(address, {}, signal),
        read<{ notes: StepNote[] }>(`${address}/notes`, { limit: 2_000 }, signal),
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

async function learnAgents(signal: AbortSignal): Promise<void> {
  const { agents } = await read<{ agents: { id: string; name: string }[] }>("/api/agents", { limit: 500 }, signal);
  for (const agent of agents) learnName(agent.id, agent.name);
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

export interface Tally {
  readonly status: string;
  readonly count: number;
}

const tallyOrder = ["in_progress", "planning", "blocked", "failed", "paused", "pending", "completed", "skipped"];

/** How many steps are in each status, what needs looking at first. */
export function tally(steps: readonly Step[]): Tally[] {
  const counts = new Map<string, number>();
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
