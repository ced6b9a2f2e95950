import { resolve } from "node:path";
import { exitCodes } from "../../../contract/errors.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText, shorten, table } from "../text.ts";

type ShownChecks = AnswerOf<"checks_show">;

/** What a repository wants to be run when a task ends, and whether this server may. */
export function addChecks(shell: Shell): void {
  const group = shell.add({
    name: "checks",
    summary: "A repository's own checks, run when a task ends",
    examples: ["checks show .", "checks allow ."],
  });
  const show = shell
    .add(
      { name: "show", summary: "Show what a repository wants to be run, and run nothing", examples: ["checks show ."] },
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
        summary: "Let the server run these checks, until their wording changes",
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
    .add({ name: "forbid", summary: "Take that permission back", examples: ["checks forbid ."] }, group)
    .argument("[path]", "the repository's folder", ".");
  shell.does(forbid, async (context, _options, [path = "."]) => {
    const api = await openApi(context);
    const forbidden = await api.call("checks_forbid", { path: resolve(path) });
    answer(context, forbidden, () => checksLines(forbidden));
    return undefined;
  });
}

function checksLines({ is_allowed, problem, checks }: ShownChecks): string[] {
  if (problem !== null) return ["These checks cannot be used:", ...problem.split("\n").map(cleanText)];
  const rows = checks.map(({ name, command, timeout_seconds }) => [
    name,
    shorten(command.map(quoted).join(" "), 100),
    `at most ${timeout_seconds} s`,
  ]);
  return [
    is_allowed
      ? "Allowed: the server runs these when a task of this repository ends."
      : "Not allowed: the server runs none of these. Read them, then: crewdeck checks allow PATH",
    ...table(rows).map((line) => `  ${line}`),
  ];
}

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word));
