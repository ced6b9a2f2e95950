import { resolve } from "node:path";
import { hasPatterns, listFinders, splitLine } from "../../../contract/marked-line.ts";
import type { CliCommand } from "../../../contract/projections/cli.ts";
import { toCli } from "../../../contract/projections/cli.ts";
import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { findEntry, readCatalogue } from "../../catalogue.ts";
import { type Api, openApi } from "../api.ts";
import { answer, note, print } from "../context.ts";
import { withBar } from "../progress.ts";
import { paint, type Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { cut, table } from "../table.ts";
import { amountText, cleanText, count } from "../text.ts";
import { readFlags } from "../tool-flags.ts";

type Found = AnswerOf<"search">;
type Hit = NonNullable<Found["code"]>[number];

/** Other names of flags, and shorter ones that people know from other search tools. */
const aliases: Readonly<Record<string, string>> = {
  "-n": "--top",
  "--repo": "--repo-path",
  "--branches": "--branches-min",
  "--loops": "--loops-min",
  "--breaks": "--breaks-min",
  "--continues": "--continues-min",
  "--churn": "--churn-min",
  "--compact": "--output=compact",
};

/** Flags that may be given several times, although their argument also takes a single text. */
const repeatable = ["--path", "--file", "--ext", "--meta"];

export function addSearch(shell: Shell): void {
  const command = shell
    .add({
      name: "search",
      summary: "Search code, documents and records",
      examples: [
        "search readFile",
        "search '\"exact phrase\" -test' --lang ts --context 2",
        "search parse --type function --path src/ -n 20",
        "search login --mode all --json",
      ],
    })
    .argument("[words...]", "what to look for, and filters as --name value")
    .helpOption(false)
    .allowUnknownOption();
  shell.does<object>(command, async (context, _options, words) => {
    const entry = findEntry(readCatalogue(), "search");
    if (!entry) throw new Refusal("NOT_FOUND", "This version has no search.");
    const cli = toCli(entry);
    if (words.length === 0) {
      const hint = "Pass words, or filters as --name value. See: crewdeck search --help";
      throw new Refusal("INVALID_REQUEST", "There is nothing to search for.", hint);
    }
    if (words.some((word) => word === "--help" || word === "-h")) {
      command.outputHelp();
      print("\nFilters:");
      const rows = cli.flags.filter(({ key }) => key !== "query").map(({ flag, description }) => [flag, description]);
      for (const line of table(rows)) print(`  ${line}`);
      return undefined;
    }
    const args = readArguments(words, cli);
    const api = await openApi(context);
    const found = await searchOrBuild(api, args, (line) => note(context, line));
    const engine = context.screen.isColoured && hasPatterns(found.query) ? (await import("re2js")).RE2JS : undefined;
    const finders = listFinders(found.query, engine);
    answer(context, found, () => foundLines(found, finders, context.screen));
    return undefined;
  });
}

function readArguments(words: readonly string[], cli: CliCommand): Record<string, unknown> {
  const query: string[] = [];
  const flags: string[] = [];
  const several = new Map<string, string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [name = "", ...value] = word.split("=");
    const flag = aliases[name] ?? name;
    if (flag !== name && flag.includes("=")) {
      flags.push(flag);
      continue;
    }
    if (!flag.startsWith("--") || flag === "--") {
      query.push(word);
      continue;
    }
    const known = cli.flags.find((one) => one.flag === flag || `--${one.key}` === flag);
    const isSwitch = known === undefined ? flag.startsWith("--no-") : known.type === "boolean";
    const next = words[at + 1];
    const takesNext = value.length === 0 && next !== undefined && (!isSwitch || next === "true" || next === "false");
    if (takesNext) at += 1;
    const text = value.length > 0 ? value.join("=") : takesNext ? next : undefined;
    if (repeatable.includes(flag) && text !== undefined) several.set(flag, [...(several.get(flag) ?? []), text]);
    else flags.push(text === undefined ? flag : `${flag}=${text}`);
  }
  for (const [flag, [first = "", ...others]] of several) {
    flags.push(`${flag}=${others.length === 0 ? first : JSON.stringify([first, ...others])}`);
  }
  const { repoPath, ...args } = readFlags(flags, cli);
  return { query: query.join(" "), ...args, repoPath: resolve(typeof repoPath === "string" ? repoPath : ".") };
}

/** The first search of a repository builds its index. */
async function searchOrBuild(api: Api, args: Record<string, unknown>, tell: (line: string) => void): Promise<Found> {
  try {
    return (await api.callAny("search", args)) as Found;
  } catch (error) {
    const isCopy = String(args["backend"]).startsWith("sqlite");
    if (!(error instanceof Refusal) || error.code !== "NO_INDEX" || isCopy) throw error;
  }
  const repoPath = String(args["repoPath"]);
  const built = await withBar("Indexing files", (tell) =>
    api.callTelling("build_index", { repoPath }, ({ progress, total }) => tell(progress, total)),
  );
  tell(`Indexed ${amountText(built.files)} files of ${cleanText(built.repo)}.\n`);
  return (await api.callAny("search", args)) as Found;
}

type Finders = ReturnType<typeof listFinders>;

function foundLines(found: Found, finders: Finders, screen: Screen): string[] {
  const { code = [], prose = [], extractedProse = [], records = [] } = found;
  const hits = [...code, ...prose, ...extractedProse].sort((one, other) => other.score - one.score);
  const shown = hits.length + records.length;
  return [
    ...hits.flatMap((hit) => hitLines(hit, finders, screen)),
    ...records.flatMap(({ id, kind, name, headline }) => [
      `${paint(screen, "cyan", cleanText(kind))} ${paint(screen, "bold", cleanText(name))} ${paint(screen, "dim", id)}`,
      ...(headline === name ? [] : [cut(`  ${cleanText(headline)}`, screen.width)]),
    ]),
    ...found.warnings.map(({ message }) => paint(screen, "yellow", cleanText(message))),
    paint(screen, "dim", shown === 0 ? "No results." : summaryOf(found, shown)),
  ];
}

const summaryOf = ({ total, tookMs, index }: Found, shown: number): string =>
  `${shown < total ? `${shown} of ` : ""}${count(total, "match").replace(/matchs$/, "matches")} in ${Math.round(tookMs)} ms${
    index.isFresh ? "" : "; files are still being indexed"
  }`;

const indent = "  ";

/** A place that a terminal opens, then its line, with the lines around it where they were asked for. */
function hitLines(hit: Hit, finders: Finders, screen: Screen): string[] {
  const place = `${paint(screen, "cyan", cleanText(hit.file))}${paint(screen, "dim", `:${hit.line}`)}`;
  const what = hit.name === "" ? hit.kind : `${hit.kind} ${cleanText(hit.name)}`;
  const where = hit.branch === undefined ? "" : ` (${cleanText(hit.branch ?? hit.worktree ?? "")})`;
  const line = splitLine(cut(tidy(hit.headline), screen.width - indent.length), finders)
    .map(({ text, isMatch }) => (isMatch ? paint(screen, "red", text) : text))
    .join("");
  const dim = (line: string): string => paint(screen, "dim", cut(`${indent}${tidy(line)}`, screen.width));
  return [
    `${place}  ${paint(screen, "dim", `${what}${where}`)}`,
    ...(hit.context?.before ?? []).map(dim),
    `${indent}${line}`,
    ...(hit.context?.after ?? []).map(dim),
  ];
}

/** Code keeps its indentation, but nothing in it may steer the terminal. */
const tidy = (line: string): string => line.replaceAll("\t", "  ").replace(/[\p{Cf}\p{Cc}]/gu, "");
