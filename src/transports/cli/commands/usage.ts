import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../text.ts";

interface Sum {
  readonly spans: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_creation: number;
  readonly cost_usd: number;
  readonly unpriced: number;
}

interface Report {
  readonly group_by: string;
  readonly groups: readonly (Sum & { readonly key: string | null; readonly label: string | null })[];
  readonly total: Sum;
  readonly csv?: string;
}

interface Options {
  readonly by: string;
  readonly csv?: true;
  readonly session?: string;
  readonly task?: string;
  readonly limit: string;
}

export function addUsage(shell: Shell): void {
  const command = shell
    .add({
      name: "usage",
      summary: "Show how many tokens were used and what they cost",
      examples: ["usage", "usage --by developer --since 2026-11-01T00:00:00Z", "usage --by day --csv > usage.csv"],
    })
    .option("--by <what>", "model, session, developer, repository, task, source, day or provenance", "model")
    .option("--since <time>", "from this moment on (default: the last 30 days)")
    .option("--until <time>", "before this moment")
    .option("--developer <handle>", "only this developer's")
    .option("--session <id>", "only of this session")
    .option("--task <id>", "only of this task")
    .option("--repository <name>", "only in this repository")
    .option("--model <name>", "only of this model")
    .option("--provenance <kind>", "only what is measured, inferred or a mismatch")
    .option("--limit <number>", "at most so many lines", "50")
    .option("--csv", "answer as a table for spreadsheets");
  shell.does<Options>(command, async (context, { by, csv, session, task, limit, ...filters }) => {
    const report = await (await openApi(context)).call<Report>("usage_report", {
      ...filters,
      group_by: by,
      limit: Number(limit),
      ...(session === undefined ? {} : { session_id: session }),
      ...(task === undefined ? {} : { task_id: task }),
      ...(csv ? { format: "csv" } : {}),
    });
    if (csv && !context.isJson) process.stdout.write(report.csv ?? "");
    else answer(context, report, () => linesOf(report));
    return undefined;
  });
}

function linesOf({ group_by, groups, total }: Report): string[] {
  if (groups.length === 0) return ["Nothing was reported. Agents report with covibe_ingest_agent_telemetry."];
  const heading = [group_by.toUpperCase(), "REPORTS", "INPUT", "OUTPUT", "CACHED", "COST"];
  const rows = groups.map((group) => [group.label ?? group.key ?? "(none)", ...cellsOf(group)]);
  return table([heading, ...rows, ["total", ...cellsOf(total)]]);
}

/** A star where the cost of some reports is not known. */
const cellsOf = (sum: Sum): string[] => [
  String(sum.spans),
  String(sum.input),
  String(sum.output),
  String(sum.cache_read + sum.cache_creation),
  `$${sum.cost_usd.toFixed(2)}${sum.unpriced > 0 ? "*" : ""}`,
];
