import type { Command } from "commander";
import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { exitCodes } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { apiAt } from "../api.ts";
import { answer, type Context } from "../context.ts";
import { withProgress } from "../progress.ts";
import { resolveId } from "../record.ts";
import type { Shell } from "../shell.ts";
import { cleanText, count, durationText } from "../text.ts";

/** A receipt as the server answers it, or as it is read from the store. */
type VerifiedTask = AnswerOf<"task_verify">;
type CheckLine = VerifiedTask["checks"]["results"][number];

/** `verify task`: the receipt of a task held against its folder, with or without a running server. */
export function addVerifyTask(shell: Shell, verify: Command): void {
  const task = shell
    .add(
      {
        name: "task <id>",
        summary: "Check that a task's files still match its receipt",
        examples: ["verify task tk_…", "verify task tk_… --run-checks"],
      },
      verify,
    )
    .option("--run-checks", "run the repository's allowed checks again, on the current tree");
  shell.does<{ runChecks?: true }>(task, async (context, { runChecks = false }, [id = ""]) => {
    const verified = await findOut(context, id, runChecks);
    answer(context, verified, () => receiptLines(verified));
    return isGood(verified) ? exitCodes.done : exitCodes.refused;
  });
}

async function findOut(context: Context, taskId: string, runsChecks: boolean): Promise<VerifiedTask> {
  const url = baseUrlFrom(context.env) ?? (await findServer(context.home))?.url;
  if (url !== undefined) {
    const api = apiAt(url, context);
    return api.call("task_verify", { task_id: await resolveId(api, "task", taskId), run_checks: runsChecks });
  }
  const { verifyTask } = await context.loadProgram();
  const verifying = verifyTask(context.home, taskId, { runsChecks });
  return (await withProgress("Checking the task…", verifying)) as VerifiedTask;
}

const isGood = ({ is_stale, rerun }: VerifiedTask): boolean =>
  !is_stale && (rerun === null || (rerun.state === "done" && rerun.results.every(({ status }) => status === "passed")));

function receiptLines(verified: VerifiedTask): string[] {
  const { level, is_stale, stale_files, files, scope_match, tests_status, checks, rerun } = verified;
  const all = Object.keys(files).length;
  return [
    `${is_stale ? "Stale" : "Fresh"}  ${level}  ${count(all, "changed file")}`,
    ...(is_stale ? [`${stale_files.length} changed since:`] : []),
    ...stale_files.map((file) => `  ${cleanText(file)}`),
    `scope: ${scope_match ? "as announced" : "outside the announced scope"}`,
    `tests, self-reported: ${tests_status ?? "not reported"}`,
    `checks at the end of the task: ${checks.state.replaceAll("_", " ")}`,
    ...checks.results.flatMap(checkLines),
    ...(rerun === null ? [] : [`checks now: ${rerun.state}`, ...rerun.results.flatMap(checkLines)]),
  ];
}

const checkLines = ({ name, status, duration_ms, last_lines }: CheckLine): string[] => [
  `  ${status === "passed" ? "[x]" : "[!]"} ${cleanText(name)}  ${status.replaceAll("_", " ")}  ${durationText(duration_ms)}`,
  ...(status === "passed" ? [] : last_lines.split("\n").map((line) => `        ${cleanText(line)}`)),
];
