import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { feedbackTypes, reviewOutcomes } from "../../contract/words.ts";

const coder_id = z.string();
const round = z.number();

export const reviewEvent = defineEvents("review", {
  requested: { announced: "review:requested", data: z.object({ coder_id, round }) },
  granted: { announced: "review:granted", data: z.object({ granted_rounds: z.number() }) },
  feedbackGiven: {
    announced: "review:feedback",
    data: z.object({ coder_id, round, feedback_id: z.string(), feedback_type: z.enum(feedbackTypes) }),
  },
  feedbackDelivered: {
    announced: "review:delivered",
    data: z.object({ coder_id, round, feedback_id: z.string(), git_commit_hash: z.string(), merged: z.boolean() }),
  },
  ended: {
    announced: "review:ended",
    data: z.object({ coder_id, round, outcome: z.enum(reviewOutcomes) }),
  },
});
