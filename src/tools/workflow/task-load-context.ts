import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { fillPack, gatherContext, loadTokenCounter, type Omission } from "../../domain/context/operations.ts";
import { defineTool } from "../define.ts";
import { emptyPack, piecesFor } from "./context-pack.ts";

const Line = z.record(z.string(), z.unknown());

export default defineTool({
  name: "task_load_context",
  family: "workflow",
  title: "Load a task's context",
  summary: "Get what is needed to go on with a task after a cleared context, within a token budget.",
  guidance: "What did not fit is named in omitted; ask for more tokens or read it with task_get and checkpoint_list.",
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
    max_tokens: z.number().int().min(400).max(200_000).default(8_000).describe("The answer is never larger."),
  }),
  output: z.object({
    workflow: Line,
    current_task: Line,
    prior_tasks: z.array(Line),
    sibling_tasks: z.array(Line).optional(),
    dependency_outcomes: z.array(Line).optional(),
    omitted: z.array(z.object({ section: z.string(), omitted: z.number(), shortened: z.number() })),
    token_estimate: z.number().int(),
  }),
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "within 2,000 tokens", input: { task_id: "$task", max_tokens: 2_000 } }],
  async handle(input, work) {
    const count = await loadTokenCounter();
    const context = await gatherContext(work.db, input.task_id);
    const pack = emptyPack(context);
    const answer = (omitted: readonly Omission[], tokens: number) => ({
      ...pack,
      omitted: [...omitted],
      token_estimate: tokens,
    });
    // The estimate is part of the answer: it is measured with the widest number it could be.
    const measure = (omitted: readonly Omission[]): number => count(JSON.stringify(answer(omitted, input.max_tokens)));
    const omitted = fillPack(piecesFor(pack, context, input.include), { budget: input.max_tokens, count, measure });
    return answer(omitted, measure(omitted));
  },
});
