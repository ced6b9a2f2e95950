import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import {
  type Chosen,
  fillPack,
  gatherContext,
  listOmissions,
  loadTokenCounter,
  type Omission,
} from "../../domain/context/operations.ts";
import { defineTool } from "../define.ts";
import { buildPack, countUnread, Pack, piecesFor } from "./context-pack.ts";
import type { ContextPiece } from "./context-pieces.ts";

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
  output: Pack.extend({
    omitted: z
      .array(
        z.object({
          section: z.string(),
          omitted: z.number().int().optional().describe("Left out whole."),
          shortened: z.number().int().optional().describe("Cut."),
          characters: z.number().int().optional().describe("Lost by cutting."),
        }),
      )
      .describe("What was asked for and is not here."),
    token_estimate: z.number().int().describe("Of this whole answer; it has no more."),
  }),
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "within 2,000 tokens", input: { task_id: "$task", max_tokens: 2_000 } }],
  async handle({ task_id, include, max_tokens: budget }, work) {
    const count = await loadTokenCounter();
    const most = Math.min(mostRecords, Math.ceil(budget / leastTokensPerRecord));
    const notes = include.all_checkpoints ? Math.max(most, include.recent_checkpoints) : include.recent_checkpoints;
    const context = await gatherContext(work.db, task_id, { notes, most });
    const pieces = piecesFor(context, include);
    const unread = countUnread(context, include);
    // The estimate is part of the answer: it is measured with the widest number it could be.
    const build = (chosen: readonly Chosen<ContextPiece>[], omitted: readonly Omission[]) => ({
      ...buildPack(context, include, chosen),
      omitted: [...omitted],
      token_estimate: budget,
    });
    const chosen = fillPack(pieces, { budget, count, build, unread });
    const answer = build(chosen, listOmissions(pieces, chosen, unread));
    return { ...answer, token_estimate: count(JSON.stringify(answer)) };
  },
});

/** No more is read than could fit. */
const leastTokensPerRecord = 20;
const mostRecords = 2_000;
