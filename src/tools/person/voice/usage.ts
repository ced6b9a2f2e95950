import { z } from "zod";
import { dollarsOf } from "../../../domain/usage/money-model.ts";
import type { Group, Sum } from "../../../domain/usage/summary-model.ts";

/** How usage is written: tokens as counts, money as dollars. */

const Count = z.number().int();

export const UseSum = z.object({
  spans: Count.describe("How many reports it is the sum of."),
  input: Count,
  output: Count,
  cache_read: Count,
  cache_creation: Count,
  reasoning: Count.describe("A part of the output."),
  total: Count,
  cost_usd: z.number(),
  unpriced: Count.describe("Reports whose cost nobody knows."),
  mismatches: Count.describe("Reports whose submitted cost did not match."),
});

export const UseGroup = UseSum.extend({
  key: z.string().nullable().describe("What the group has in common; null where it is unknown."),
  label: z.string().nullable().describe("What people call it."),
});

export const useSum = ({ spans, counters, costNanos, unpriced, mismatches }: Sum): z.input<typeof UseSum> => ({
  spans,
  input: counters.input,
  output: counters.output,
  cache_read: counters.cacheRead,
  cache_creation: counters.cacheCreation,
  reasoning: counters.reasoning,
  total: counters.total,
  cost_usd: dollarsOf(costNanos),
  unpriced,
  mismatches,
});

export const useGroup = (group: Group & { label: string | null }): z.input<typeof UseGroup> => ({
  key: group.key,
  label: group.label,
  ...useSum(group),
});

const columns = ["key", "label", ...Object.keys(UseSum.shape)] as readonly (keyof z.input<typeof UseGroup>)[];

/** A table as RFC 4180 has it. */
export const writeCsv = (groups: readonly z.input<typeof UseGroup>[]): string =>
  [columns, ...groups.map((group) => columns.map((column) => group[column]))]
    .map((row) => `${row.map(writeCell).join(",")}\r\n`)
    .join("");

/** Spreadsheets run cells that begin like a formula, so such text gets a quote before it. */
function writeCell(value: string | number | null): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
