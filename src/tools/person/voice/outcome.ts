import { z } from "zod";
import type { Outcome } from "../../../domain/context/outcome-model.ts";
import { dollarsOf } from "../../../domain/usage/money-model.ts";

const Count = z.number().int();

export const OutcomeRecord = z.object({
  key: z.string().nullable().describe("What the group has in common; null where it is unknown."),
  label: z.string().nullable().describe("What people call it."),
  tokens: Count,
  cost_usd: z.number(),
  reproduced: Count.describe("Results whose checks were run again and passed."),
  without_usage: Count.describe("Reproduced results for which nobody reported any usage."),
  cost_per_reproduced_usd: z.number().nullable().describe("Null where none with usage was reproduced."),
  tokens_per_reproduced: Count.nullable(),
  wasted_tokens: Count.describe(
    "Spent on tasks that were cancelled or failed, and by agents whose work was abandoned or not merged.",
  ),
  wasted_usd: z.number(),
  unknown_share: z
    .number()
    .describe("From 0 to 1: reports without a price or a task and reproduced results without usage, of all of these."),
});

export function outcomeRecord(
  one: Outcome & { readonly label: string | null; readonly unknownShare: number },
): z.input<typeof OutcomeRecord> {
  const measured = one.reproduced - one.withoutUsage;
  return {
    key: one.key,
    label: one.label,
    tokens: Number(one.tokens),
    cost_usd: dollarsOf(one.costNanos),
    reproduced: one.reproduced,
    without_usage: one.withoutUsage,
    cost_per_reproduced_usd: measured > 0 ? dollarsOf(one.reproducedNanos) / measured : null,
    tokens_per_reproduced: measured > 0 ? Math.round(Number(one.reproducedTokens) / measured) : null,
    wasted_tokens: Number(one.wastedTokens),
    wasted_usd: dollarsOf(one.wastedNanos),
    unknown_share: one.unknownShare,
  };
}
