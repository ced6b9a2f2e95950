import { z } from "zod";
import { FeedbackId, InstanceId } from "../../contract/ids.ts";
import { feedbackTypes } from "../../contract/words.ts";
import { enterInstance, lookWhoCalls } from "../../domain/instance/operations.ts";
import { FeedbackItem, feedbackPriorities, ItemName } from "../../domain/review/model.ts";
import { giveFeedback } from "../../domain/review/operations.ts";
import { getFeedback } from "../../domain/review/queries.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "send_feedback",
  family: "review",
  title: "Send feedback",
  summary: "End your review with what the coder should do; it reaches their branch as a commit and their mailbox.",
  guidance: "Only for reviewers, once. If you approve, call create_pull_request instead.",
  keywords: "review feedback changes requested needs work",
  effect: "create",
  callers: ["agent"],
  isNamedInRefusals: true,
  input: z.object({
    feedback: z.string().trim().min(1).max(100_000).describe("What you found, in full."),
    feedback_type: z.enum(feedbackTypes).describe("What it means for the coder."),
    priority: z.enum(feedbackPriorities).optional().describe("How much it matters."),
    actionable_items: z
      .array(z.union([z.string().trim().min(1).max(4_000), FeedbackItem]))
      .max(100)
      .default([])
      .describe("Single things to do, each a sentence or an object."),
    resolved_items: z
      .array(ItemName)
      .max(1_000)
      .default([])
      .describe("Open items of earlier rounds that are done now, such as 1.2; the others stay open."),
  }),
  output: z.object({
    feedback_id: FeedbackId,
    git_commit_hash: z.string().nullable().describe("The merge on the coder's branch; else the commit on yours."),
    target_instance_id: InstanceId,
    cleanup_status: z.string().describe("What becomes of you, and how the feedback arrived."),
  }),
  refusals: ["INVALID_REQUEST", "INVALID_INPUT", "FORBIDDEN", "INVALID_STATE", "CAPABILITY_MISSING", "GIT_ERROR"],
  examples: [
    {
      title: "something to do",
      from: "review",
      input: {
        feedback: "The empty basket is not handled.",
        feedback_type: "needs_work",
        actionable_items: ["Handle the empty basket."],
      },
    },
  ],
  observe: (_input, look) => lookWhoCalls(look),
  enter: (_input, work, sighting) => enterInstance(work, sighting),
  async handle({ feedback, feedback_type, priority, actionable_items, resolved_items }, work, sighting) {
    const given = await giveFeedback(work, sighting, {
      text: feedback,
      type: feedback_type,
      priority: priority ?? null,
      done: resolved_items,
      items: actionable_items.map((item) => (typeof item === "string" ? { description: item } : item)),
    });
    return {
      feedback_id: given.id,
      git_commit_hash: null,
      target_instance_id: given.coderId,
      cleanup_status: "pending",
    };
  },
  afterwards: {
    waitMs: 30_000,
    async read(answer, work) {
      const { commit, delivery } = await getFeedback(work.db, FeedbackId.parse(answer.feedback_id));
      return { ...answer, git_commit_hash: commit, cleanup_status: delivery ?? "pending" };
    },
  },
});
