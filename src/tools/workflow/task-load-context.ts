import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { leastBudget, loadTokenCounter } from "../../domain/context/operations.ts";
import { recoverTask } from "../../domain/context/recovery-operations.ts";
import { getSeenTask } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { PackedContext, packRecord, packVoice, wantedFrom } from "./voice/context-pack.ts";

export default defineTool({
  name: "task_load_context",
  family: "workflow",
  title: "Load a task's context",
  summary: "Get what you need to continue a task after a cleared context, within a token budget.",
  guidance: "What did not fit is named in omitted; ask for more tokens or read it with task_get and checkpoint_list.",
  keywords: "resume continue cleared memory where stopped recover",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    include: z
      .strictObject({
        workflow_plan: z.boolean().default(true).describe("The workflow's plan in short."),
        workflow_summary: z.boolean().default(true).describe("Where the work came from."),
        prior_task_outcomes: z.boolean().default(true).describe("What came of the tasks before."),
        prior_task_full: z.boolean().default(false).describe("All of them, not just in short."),
        sibling_status: z.boolean().default(true).describe("Tasks that run side by side."),
        dependency_outcomes: z.boolean().default(true).describe("What came of what it depends on."),
        all_checkpoints: z.boolean().default(false).describe("Old checkpoints too."),
        recent_checkpoints: z.number().int().min(0).max(200).default(5).describe("How many of the newest."),
      })
      .prefault({})
      .describe("What to bring."),
    max_tokens: z.number().int().min(leastBudget).max(200_000).default(8_000).describe("The answer is never larger."),
  }),
  output: PackedContext,
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "within 2,000 tokens", input: { task_id: "$task", max_tokens: 2_000 } }],
  observe: () => loadTokenCounter(),
  async handle({ task_id, include, max_tokens: budget }, work, count) {
    await getSeenTask(work, task_id);
    const wanted = wantedFrom(include);
    return recoverTask(work, task_id, wanted, {
      budget,
      count,
      voice: packVoice,
      build: (context, packed) => packRecord(context, packed, wanted),
    });
  },
});
