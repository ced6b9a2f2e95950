import { z } from "zod";
import { DeveloperId, FeedbackId, InstanceId } from "../../contract/ids.ts";
import { feedbackTypes, reviewOutcomes } from "../../contract/words.ts";

/** One round: an instance's judgement of another's work. It has the reviewer's id. */
export const Review = z.object({
  id: InstanceId,
  coderId: InstanceId,
  developerId: DeveloperId,
  round: z.number(),
  outcome: z.enum(reviewOutcomes),
  /** The commit that is judged. */
  head: z.string(),
  /** The limit of rounds at the time, without what people allowed beyond it. */
  maxIterations: z.number(),
  requestedAt: z.number(),
  endedAt: z.number().nullable(),
  version: z.number(),
});
export type Review = z.infer<typeof Review>;

const feedbackCategories = ["code", "tests", "documentation", "other"] as const;
export const feedbackPriorities = ["low", "medium", "normal", "high", "urgent", "critical"] as const;

/** One thing to do about it. */
export const FeedbackItem = z.strictObject({
  category: z.enum(feedbackCategories).optional().describe("What it is about."),
  description: z.string().trim().min(1).max(4_000).describe("What is to be done."),
  location: z.string().max(500).optional().describe("Where, such as src/a.ts:12."),
  priority: z.enum(feedbackPriorities).optional().describe("How much it matters."),
  suggestion: z.string().max(8_000).optional().describe("How it could be done."),
});
export type FeedbackItem = z.infer<typeof FeedbackItem>;

/** The same with what became of it. */
const TrackedItem = FeedbackItem.extend({
  /** The round that found it done. */
  doneIn: z.number().optional(),
});
export type TrackedItem = z.infer<typeof TrackedItem>;

/** How an item is named in later rounds: its round and its place in it, such as 1.2. */
export const ItemName = z.string().regex(/^[1-9]\d{0,3}\.[1-9]\d{0,3}$/, "a round and a place in it, such as 1.2");

export const Feedback = z.object({
  id: FeedbackId,
  reviewId: InstanceId,
  coderId: InstanceId,
  developerId: DeveloperId,
  round: z.number(),
  type: z.enum(feedbackTypes),
  priority: z.string().nullable(),
  text: z.string(),
  items: z.array(TrackedItem),
  /** The commit by which it reached the coder's branch, or the one on the reviewer's where it could not. */
  commit: z.string().nullable(),
  /** How it arrived, in our own words; null while it is on its way. */
  delivery: z.string().nullable(),
  createdAt: z.number(),
  version: z.number(),
});
export type Feedback = z.infer<typeof Feedback>;

/** One thing to do, by the name that later rounds have for it. */
export interface NamedItem extends TrackedItem {
  readonly name: string;
  readonly round: number;
}

export const nameItems = ({ round, items }: Pick<Feedback, "round" | "items">): NamedItem[] =>
  items.map((item, at) => ({ ...item, round, name: `${round}.${at + 1}` }));

/** What no later round has found done yet, oldest first (RV20). */
export const openItems = (given: readonly Pick<Feedback, "round" | "items">[]): NamedItem[] =>
  given.flatMap(nameItems).filter(({ doneIn }) => doneIn === undefined);
