import { z } from "zod";
import { InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { lookAtReviewed } from "../../domain/context/review-operations.ts";
import { enterInstance } from "../../domain/instance/operations.ts";
import { getInstance } from "../../domain/instance/queries.ts";
import { requestReview } from "../../domain/review/operations.ts";
import { defineTool } from "../define.ts";
import { packVoice } from "../workflow/voice/context-pack.ts";
import { reviewEndings } from "./voice/review-endings.ts";

const Text = z.string().trim().min(1).max(50_000);

export default defineTool({
  name: "request_review",
  family: "review",
  title: "Request a review",
  summary: "Have another agent review what you have committed on your branch; it is started in a work tree of its own.",
  guidance:
    "Commit everything first. Then wait: the feedback comes as a message and as REVIEW_FEEDBACK.md on your branch. There are few rounds, so ask when the work is ready.",
  keywords: "code review reviewer check my work approve",
  effect: "create",
  callers: ["agent"],
  isNamedInRefusals: true,
  input: z.object({
    reviewer_prompt: Text.optional().describe("What the reviewer should look at in particular."),
    completion_message: Text.optional().describe("What you did."),
  }),
  output: z.object({
    review_instance_id: InstanceId,
    session_name: z.string().describe("The reviewer's terminal."),
    worktree_path: z.string().describe("The reviewer's folder."),
    branch_name: z.string().describe("The branch that is reviewed."),
  }),
  refusals: [
    "INVALID_REQUEST",
    "FORBIDDEN",
    "INVALID_STATE",
    "REVIEW_IN_PROGRESS",
    "REVIEW_LIMIT_EXCEEDED",
    "SPAWNER_ERROR",
    "TMUX_NOT_AVAILABLE",
    "CAPABILITY_MISSING",
    "GIT_ERROR",
  ],
  examples: [
    { title: "work that is ready", from: "coding", input: { completion_message: "Totals are rounded per line now." } },
  ],
  observe: (_input, look) => lookAtReviewed(look, packVoice),
  enter: (_input, work, sighting) => enterInstance(work, sighting),
  async handle({ reviewer_prompt, completion_message }, work, sighting) {
    const reviewer = await requestReview(work, sighting, {
      reviewerPrompt: reviewer_prompt ?? null,
      completionMessage: completion_message ?? null,
      endings: reviewEndings,
    });
    return {
      review_instance_id: reviewer.id,
      session_name: reviewer.sessionName ?? reviewer.id,
      worktree_path: reviewer.worktreePath,
      branch_name: reviewer.baseBranch ?? "",
    };
  },
  afterwards: {
    waitMs: 30_000,
    async read(answer, work) {
      const reviewer = await getInstance(work.db, InstanceId.parse(answer.review_instance_id));
      if (reviewer.run?.state !== "failed") return { ...answer, worktree_path: reviewer.worktreePath };
      throw new Refusal(
        "SPAWNER_ERROR",
        "The reviewer could not be started.",
        "See its record for why, then call again.",
        {
          review_instance_id: reviewer.id,
          problem: reviewer.run.problem,
        },
      );
    },
  },
});
