import { resolve } from "node:path";
import { exitCodes } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { cleanText, shorten } from "../text.ts";

type ShownChecks = AnswerOf<"checks_show">;

/** What a repository wants to be run when a task ends, and whether this server may. */
export function addChecks(shell: Shell): void {
  const group = shell.add({
    name: "checks",
    summary: "Manage the checks the server runs when a task ends",
    examples: ["checks show .", "checks allow ."],
  });
  const show = shell
    .add(
      { name: "show", summary: "Show a repository's checks without running them", examples: ["checks show ."] },
      group,
    )
    .argument("[path]", "the repository's folder", ".");
  shell.does(show, async (context, _options, [path = "."]) => {
    const api = await openApi(context);
    const shown = await api.call("checks_show", { path: resolve(path) });
    answer(context, shown, () => checksLines(shown));
    return shown.problem === null ? exitCodes.done : exitCodes.refused;
  });
  const allow = shell
    .add(
      {
        name: "allow",
        summary: "Allow the server to run these checks, until they change",
        examples: ["checks allow .", "checks allow ~/code/shop"],
      },
      group,
    )
    .argument("[path]", "the repository's folder", ".");
  shell.does(allow, async (context, _options, [path = "."]) => {
    const api = await openApi(context);
    const ask = { path: resolve(path) };
    // What is allowed is what is shown here, byte for byte, and not what may stand there a moment later.
    const { config_hash } = await api.call("checks_show", ask);
    const allowed = await api.call("checks_allow", { ...ask, config_hash });
    answer(context, allowed, () => checksLines(allowed));
    return undefined;
  });
  const forbid = shell
    .add({ name: "forbid", summary: "Revoke that permission", examples: ["checks forbid ."] }, group)
    .argument("[path]", "the repository's folder", ".");
  shell.does(forbid, async (context, _options, [path = "."]) => {
    const api = await openApi(context);
    const forbidden = await api.call("checks_forbid", { path: resolve(path) });
    answer(context, forbidden, () => checksLines(forbidden));
    return undefined;
  });
}

function checksLines({ is_allowed, problem, checks }: ShownChecks): string[] {
  if (problem !== null) return ["These checks cannot run:", ...problem.split("\n").map(cleanText)];
  const rows = checks.map(({ name, command, timeout_seconds }) => [
    name,
    shorten(command.map(quoted).join(" "), 100),
    `timeout ${timeout_seconds} s`,
  ]);
  return [
    is_allowed
      ? "Allowed: the server runs these when a task of this repository ends."
      : "Not allowed: the server runs none of these. Review them, then run: crewdeck checks allow PATH",
    ...table(rows).map((line) => `  ${line}`),
  ];
}

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word));
