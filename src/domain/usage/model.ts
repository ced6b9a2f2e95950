import { z } from "zod";
import { AgentId, DeveloperId, SpanId, TaskId } from "../../contract/ids.ts";
import { costSources, type OneOf, usageChannels, usageSources } from "../../contract/words.ts";

export type Source = OneOf<typeof usageSources>;

/** How far a figure can be relied on. */
export const provenances = ["measured", "inferred", "mismatch"] as const;
export type Provenance = (typeof provenances)[number];

/**
 * Tokens that do not overlap, whatever the provider counts together: `input` is what no cache had a part in, `output`
 * is all that was generated. `reasoning` is the part of the output that nobody saw.
 */
export interface Counters {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
  readonly reasoning: number;
  readonly total: number;
}

/** What could be read from a payload: numbers and the name of a model, and nothing else of it. */
export interface Reading {
  readonly model: string | null;
  readonly counters: Counters;
  /** The part of `cacheCreation` that is kept for an hour, which some providers charge more for. */
  readonly longCacheCreation: number;
  /** What the payload itself says it cost. */
  readonly costNanos: bigint | null;
}

export const Span = z.object({
  id: SpanId,
  developerId: DeveloperId,
  sessionId: AgentId.nullable(),
  taskId: TaskId.nullable(),
  repo: z.string().nullable(),
  source: z.enum(usageSources),
  /** By which way it came; null for those from before it was kept. */
  channel: z.enum(usageChannels).nullable(),
  model: z.string().nullable(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cacheReadTokens: z.number().int(),
  cacheCreationTokens: z.number().int(),
  reasoningTokens: z.number().int(),
  totalTokens: z.number().int(),
  /** Whole billionths of a dollar. */
  costNanos: z.number().int().nullable(),
  costSource: z.enum(costSources),
  submittedNanos: z.number().int().nullable(),
  isMismatch: z.boolean(),
  priceVersion: z.string().nullable(),
  payloadHash: z.string(),
  createdAt: z.number(),
});
export type Span = z.infer<typeof Span>;
