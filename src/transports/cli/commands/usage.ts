import type { AnswerOf, InputOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../text.ts";

type Report = AnswerOf<"usage_report">;

type Ask = InputOf<"usage_report">;

/** As somebody typed it; what is none of the server's words is the server's to refuse. */
interface Options extends Pick<Ask, "since" | "until" | "developer" | "repository" | "model" | "provenance"> {
  readonly by: Ask["group_by"];
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
    const report = await (await openApi(context)).call("usage_report", {
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
const cellsOf = (sum: Report["total"]): string[] => [
  String(sum.spans),
  String(sum.input),
  String(sum.output),
  String(sum.cache_read + sum.cache_creation),
  `$${sum.cost_usd.toFixed(2)}${sum.unpriced > 0 ? "*" : ""}`,
];
