import { Refusal } from "../../../contract/refusal.ts";
import { outcomeGroupings, usageGroupings } from "../../../contract/words.ts";
import type { AnswerOf, InputOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, type Context } from "../context.ts";
import { resolveId } from "../record.ts";
import type { Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { amountText, none } from "../text.ts";

type Report = AnswerOf<"usage_report">;

type Ask = InputOf<"usage_report">;

/** As somebody typed it; what is none of the server's words is the server's to refuse. */
interface Options extends Pick<Ask, "since" | "until" | "developer" | "repository" | "model" | "provenance"> {
  readonly by: NonNullable<Ask["group_by"]>;
  readonly csv?: true;
  readonly outcomes?: string;
  readonly session?: string;
  readonly task?: string;
  readonly limit: string;
}

export function addUsage(shell: Shell): void {
  const command = shell
    .add({
      name: "usage",
      summary: "Show tokens used and their cost",
      examples: [
        "usage",
        "usage --by developer --since 2026-11-01T00:00:00Z",
        "usage --by day --csv > usage.csv",
        "usage --outcomes week",
      ],
    })
    .option("--by <what>", `group by: ${usageGroupings.join(", ")}`, "model")
    .option("--since <time>", "from this time on, ISO 8601 (default: the last 30 days)")
    .option("--until <time>", "before this time")
    .option("--developer <handle>", "only this developer")
    .option("--session <id>", "only this session (id, beginning of an id, or agent name)")
    .option("--task <id>", "only this task (number, id, beginning of an id, or title)")
    .option("--repository <name>", "only this repository")
    .option("--model <name>", "only this model")
    .option("--provenance <kind>", "only: measured, inferred or mismatch")
    .option("--limit <number>", "maximum number of groups", "50")
    .option("--outcomes <what>", `show cost per reproduced result, by: ${outcomeGroupings.join(", ")}`)
    .option("--csv", "print CSV");
  shell.does<Options>(command, async (context, { by, csv, session, task, limit, outcomes, ...filters }) => {
    if (outcomes !== undefined) return showOutcomes(context, outcomes, { ...filters, limit: Number(limit) });
    if (!usageGroupings.includes(by)) {
      throw new Refusal(
        "INVALID_REQUEST",
        `Unknown value for --by: ${by}.`,
        `Valid values: ${usageGroupings.join(", ")}.`,
      );
    }
    const api = await openApi(context);
    const report = await api.call("usage_report", {
      ...filters,
      group_by: by,
      limit: Number(limit),
      ...(session === undefined ? {} : { session_id: await resolveId(api, "agent", session) }),
      ...(task === undefined ? {} : { task_id: await resolveId(api, "task", task) }),
      ...(csv ? { format: "csv" } : {}),
    });
    if (csv && !context.isJson) process.stdout.write(report.csv ?? "");
    else answer(context, report, () => linesOf(report, context.screen));
    return undefined;
  });
}

type Outcomes = AnswerOf<"outcome_report">;

async function showOutcomes(
  context: Context,
  what: string,
  { since, until, limit }: Pick<Ask, "since" | "until"> & { readonly limit: number },
): Promise<undefined> {
  const group_by = outcomeGroupings.find((one) => one === what);
  if (group_by === undefined) {
    throw new Refusal(
      "INVALID_REQUEST",
      `Unknown value for --outcomes: ${what}.`,
      `Valid values: ${outcomeGroupings.join(", ")}.`,
    );
  }
  const api = await openApi(context);
  const report = await api.call("outcome_report", { group_by, since, until, limit });
  answer(context, report, () => outcomeLines(report, context.screen));
  return undefined;
}

function outcomeLines({ group_by, groups, total }: Outcomes, screen: Screen): string[] {
  if (total === null) return ["No usage reported and no results reproduced."];
  const heading = [group_by.toUpperCase(), "REPRODUCED", "COST EACH", "TOKENS EACH", "COST", "WASTED", "UNKNOWN"];
  const rows = groups.map((group) => [group.label ?? group.key ?? none, ...outcomeCells(group)]);
  return table([...rows, ["total", ...outcomeCells(total)]], { screen, heading, flexible: [0], optional: [3, 6, 5] });
}

const outcomeCells = (one: Outcomes["groups"][number]): string[] => [
  amountText(one.reproduced),
  one.cost_per_reproduced_usd === null ? none : `$${one.cost_per_reproduced_usd.toFixed(2)}`,
  one.tokens_per_reproduced === null ? none : amountText(one.tokens_per_reproduced),
  `$${one.cost_usd.toFixed(2)}`,
  `$${one.wasted_usd.toFixed(2)}`,
  `${Math.round(one.unknown_share * 100)}%`,
];

function linesOf({ group_by, groups, total }: Report, screen: Screen): string[] {
  if (groups.length === 0) return ["No usage reported. Agents report it with covibe_ingest_agent_telemetry."];
  const heading = [group_by.toUpperCase(), "REPORTS", "INPUT", "OUTPUT", "CACHED", "COST"];
  const rows = groups.map((group) => [group.label ?? group.key ?? none, ...cellsOf(group)]);
  return table([...rows, ["total", ...cellsOf(total)]], { screen, heading, flexible: [0] });
}

/** A star where the cost of some reports is not known. */
const cellsOf = (sum: Report["total"]): string[] => [
  amountText(sum.spans),
  amountText(sum.input),
  amountText(sum.output),
  amountText(sum.cache_read + sum.cache_creation),
  `$${sum.cost_usd.toFixed(2)}${sum.unpriced > 0 ? "*" : ""}`,
];
