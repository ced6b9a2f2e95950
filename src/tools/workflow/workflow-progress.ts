import { z } from "zod";
import { TaskId, WorkflowId } from "../../contract/ids.ts";
import { readProgress } from "../../domain/context/operations.ts";
import { isFinished } from "../../domain/lifecycle.ts";
import type { StatusCount } from "../../domain/task/progress-queries.ts";
import { getSeenWorkflow } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { countByWord } from "./voice/words.ts";

export default defineTool({
  name: "workflow_progress",
  family: "workflow",
  title: "Get a workflow's progress",
  summary: "See a workflow's progress: counts, blocked tasks, what is left.",
  keywords: "how far percent left remaining done",
  effect: "read",
  callers: ["agent"],
  input: z.object({ workflow_id: WorkflowId.describe("The workflow.") }),
  output: z.object({
    total_tasks: z.number().int(),
    by_status: z.record(z.string(), z.number().int()),
    completed_sequence: z.number().int().describe("Everything up to here is finished."),
    current_sequence: z.number().int().describe("The lowest with unfinished work; 0 when there is none."),
    blocked_tasks: z
      .array(z.object({ id: TaskId, name: z.string(), blocked_by: z.array(z.string()) }))
      .describe("The first hundred."),
    parallel_groups: z.array(z.object({ group_id: z.string(), task_count: z.number(), completed: z.number() })),
    estimated_remaining: z.number().int().describe("Tasks that are not finished."),
    eta_seconds: z.number().int().optional().describe("At the pace so far; from the third finished task on."),
  }),
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "how far", input: { workflow_id: "$workflow" } }],
  async handle({ workflow_id }, work) {
    await getSeenWorkflow(work, workflow_id);
    const progress = await readProgress(work.db, workflow_id, work.now);
    return {
      total_tasks: sumOf(progress.counts),
      by_status: countByWord(progress.counts),
      completed_sequence: progress.completedSequence,
      current_sequence: progress.currentSequence,
      blocked_tasks: progress.waiting.map(({ task, blockedBy }) => ({
        id: task.id,
        name: task.name,
        blocked_by: [...blockedBy],
      })),
      parallel_groups: progress.groups.map(({ group, count, finished }) => ({
        group_id: group,
        task_count: count,
        completed: finished,
      })),
      estimated_remaining: sumOf(progress.counts.filter(({ status }) => !isFinished(status))),
      ...(progress.etaSeconds === null ? {} : { eta_seconds: progress.etaSeconds }),
    };
  },
});

const sumOf = (counts: readonly StatusCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);
