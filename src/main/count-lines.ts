import type { CountLines } from "../adapters/launcher/usage.ts";
import type { Context, UsageReport } from "../companion/telemetry/report.ts";
import { readPiece } from "../companion/telemetry/transcript.ts";
import type { ModelPrice } from "../contract/price.ts";
import { Refusal } from "../contract/refusal.ts";
import { dollarsOf } from "../domain/usage/money-model.ts";
import { readPayload } from "../domain/usage/payload/read-payload.ts";
import { decideCost } from "../domain/usage/rules.ts";

/** Counts and prices what agents that we started use in the way in which everybody's usage is. */
export const countLinesWith =
  (prices: readonly ModelPrice[]): CountLines =>
  (client, text, before) => {
    const { reports, context } = readPiece(client, text, (before ?? {}) as Context);
    const all = context.pending === undefined ? reports : [...reports, context.pending];
    return {
      context,
      counted: all.map((report) => ({
        key: report.key,
        tokens: report.total,
        dollars: priceOf(report, prices),
      })),
    };
  };

function priceOf({ source, payload }: UsageReport, prices: readonly ModelPrice[]): number | null {
  try {
    const { costNanos } = decideCost(readPayload(source, payload), { submittedNanos: null, prices });
    return costNanos === null ? null : dollarsOf(Number(costNanos));
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
