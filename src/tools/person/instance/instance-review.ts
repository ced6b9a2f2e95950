import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { lookAtReviewOf, requestReviewOf } from "../../../domain/context/behalf-operations.ts";
import { getInstance } from "../../../domain/instance/queries.ts";
import { defineTool } from "../../define.ts";
import { reviewEndings } from "../../review/voice/review-endings.ts";
import { packVoice } from "../../workflow/voice/context-pack.ts";

export default defineTool({
  name: "instance_review",
  family: "person",
  title: "Request a review of an agent's work",
  summary: "Have another agent review what an instance has committed, as it could request itself.",
  guidance: "Its work must be committed. The feedback goes to the agent whose work is reviewed.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    id: InstanceId.describe("The coding instance whose work is reviewed."),
    reviewer_prompt: z
      .string()
      .trim()
      .min(1)
      .max(50_000)
      .optional()
      .describe("What the reviewer should look at in particular."),
  }),
  output: z.object({ id: InstanceId, review_instance_id: InstanceId, review_iteration: z.number() }),
  refusals: [
    "INSTANCE_NOT_FOUND",
    "FORBIDDEN",
    "INVALID_STATE",
    "REVIEW_IN_PROGRESS",
    "REVIEW_LIMIT_EXCEEDED",
    "SPAWNER_ERROR",
    "TMUX_NOT_AVAILABLE",
    "CAPABILITY_MISSING",
    "GIT_ERROR",
  ],
  examples: [{ title: "of one agent's work", needs: "launcher", input: { id: "$instance" } }],
  observe: ({ id }, look) => lookAtReviewOf(look, id, packVoice),
  async handle({ id, reviewer_prompt }, work, seen) {
    const reviewer = await requestReviewOf(work, id, seen, {
      reviewerPrompt: reviewer_prompt ?? null,
      completionMessage: null,
      endings: reviewEndings,
    });
    return { id, review_instance_id: reviewer.id, review_iteration: reviewer.reviewIteration };
  },
  afterwards: {
    waitMs: 30_000,
    async read(answer, work) {
      const { run } = await getInstance(work.db, InstanceId.parse(answer.review_instance_id));
      if (run?.state !== "failed") return answer;
      throw new Refusal(
        "SPAWNER_ERROR",
        "The reviewer could not be started.",
        "See its page for why, then try again.",
        {
          review_instance_id: answer.review_instance_id,
          problem: run.problem,
        },
      );
    },
  },
});
