import { z } from "zod";
import { AgentId, DeveloperId, TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { lifecycle } from "../../contract/lifecycle.ts";
import { complexities } from "../../contract/words.ts";

/** How the one who does the task means to do it. */
export const TaskPlan = z.object({
  approach: z.string(),
  steps: z.array(z.string()),
  files_to_modify: z.array(z.string()).optional(),
  files_to_create: z.array(z.string()).optional(),
  context_needed: z.array(z.string()).optional(),
});
export type TaskPlan = z.infer<typeof TaskPlan>;

export const Task = z.object({
  id: TaskId,
  /** What people call it by; the store gives it, so a task that was just made has none yet. */
  number: z.number().int().nullable(),
  workflowId: WorkflowId.nullable(),
  developerId: DeveloperId,
  name: z.string(),
  description: z.string(),
  /** Orders; dependencies gate (WF19). */
  sequence: z.number().int(),
  parallelGroup: z.string().nullable(),
  status: z.enum(lifecycle),
  /** How many of its dependencies are unfinished; kept up to date by those who finish them. */
  waitingOn: z.number().int(),
  /** The longest chain of tasks from here to an end of the graph, this one included: what makes a path critical. */
  tail: z.number().int(),
  plan: TaskPlan.nullable(),
  context: z.record(z.string(), z.unknown()),
  outcome: z.string().nullable(),
  outcomeDetail: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  complexity: z.enum(complexities).nullable(),
  files: z.array(z.string()),
  /** What an agent must be able to do; none means that every agent fits (TK26). */
  capabilities: z.array(z.string()),
  takenBy: AgentId.nullable(),
  /** Grows with every claim, so that a former holder's late write can be told from the present one's. */
  fence: z.number().int(),
  worktreeId: WorktreeId.nullable(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Task = z.infer<typeof Task>;

/** A task waits for others: computed, never stored. */
export const isWaiting = (task: Pick<Task, "status" | "waitingOn">): boolean =>
  task.status === "planned" && task.waitingOn > 0;

/** Some of a set of tasks, and how many there are in all. */
export interface Share {
  readonly tasks: readonly Task[];
  readonly total: number;
}
