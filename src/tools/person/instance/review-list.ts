import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { reviewOutcomes } from "../../../contract/words.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { listReviews } from "../../../domain/review/queries.ts";
import { defineTool } from "../../define.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";

export default defineTool({
  name: "review_list",
  family: "person",
  title: "List reviews",
  summary: "See the rounds of reviews, newest first, with how each ended.",
  effect: "read",
  callers: ["agent"],
  input: z.object({ limit: z.number().int().min(1).max(500).default(100).describe("At most this many.") }),
  output: z.object({
    reviews: z.array(
      z.object({
        review_instance_id: InstanceId,
        instance_id: InstanceId.describe("The instance that is reviewed."),
        review_iteration: z.number(),
        outcome: z.enum(reviewOutcomes),
        commit: z.string(),
        requested_at: Time,
        ended_at: Time.nullable(),
      }),
    ),
  }),
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  async handle({ limit }, work) {
    const reviews = (await readViewer(work)).known(await listReviews(work.db, { limit }));
    return {
      reviews: reviews.map(({ id, coderId, round, outcome, head, requestedAt, endedAt }) => ({
        review_instance_id: id,
        instance_id: coderId,
        review_iteration: round,
        outcome,
        commit: head,
        requested_at: timeOf(requestedAt),
        ended_at: timeOrNull(endedAt),
      })),
    };
  },
});
