import { Option } from "commander";
import { Refusal } from "../../../contract/refusal.ts";
import { showHidden } from "../../../contract/task-diff.ts";
import { unifiedDiff } from "../../../contract/unified-diff.ts";
import { mergeMethods, type OneOf } from "../../../contract/words.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { answer } from "../context.ts";
import { paint, type Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { agoText, cleanText, count, none } from "../text.ts";

type Pull = AnswerOf<"pull_list">["pulls"][number];
type Detail = AnswerOf<"pull_get">;
type Diff = AnswerOf<"pull_diff">;

/** Local pull requests: read, decide. */
export function addPulls(shell: Shell): void {
  const group = shell.add({
    name: "pr",
    summary: "List, read and decide local pull requests",
    examples: ["pr list", "pr show 3", "pr diff 3", "pr merge 3 --method squash"],
  });
  const list = shell
    .add({ name: "list", summary: "List pull requests, newest first", examples: ["pr list", "pr list --all"] }, group)
    .option("--all", "include merged and closed ones, and those on GitHub");
  shell.does<{ all?: true }>(list, async (context, { all }) => {
    const ask = all ? { host: "all" as const } : { status: ["opening", "open", "merging"] as const };
    const { pulls } = await (await openApi(context)).call("pull_list", ask);
    answer(context, { pulls }, () =>
      pulls.length === 0
        ? ["No pull requests are open."]
        : table(pulls.map(rowOf), {
            screen: context.screen,
            heading: ["#", "STATUS", "TITLE", "BRANCH", "OWNER", "UPDATED"],
            flexible: [2],
            optional: [5, 4],
          }),
    );
    return undefined;
  });

  const show = shell
    .add({ name: "show", summary: "Show a pull request and its comments", examples: ["pr show 3"] }, group)
    .argument("<number>", "its number");
  shell.does(show, async (context, _options, [given]) => {
    const pull = await (await openApi(context)).call("pull_get", { number: readNumber(given) });
    answer(context, pull, () => showLines(pull));
    return undefined;
  });

  const diff = shell
    .add({ name: "diff", summary: "Show what a pull request changes", examples: ["pr diff 3"] }, group)
    .argument("<number>", "its number");
  shell.does(diff, async (context, _options, [given]) => {
    const whole = await readDiff(await openApi(context), readNumber(given));
    answer(context, whole, () => diffLines(whole, context.screen));
    return undefined;
  });

  const merge = shell
    .add(
      {
        name: "merge",
        summary: "Merge a pull request into its base",
        examples: ["pr merge 3", "pr merge 3 --method rebase"],
      },
      group,
    )
    .argument("<number>", "its number")
    .addOption(new Option("--method <method>", "how it is merged").choices(mergeMethods).default("merge"));
  shell.does<{ method: OneOf<typeof mergeMethods> }>(merge, async (context, { method }, [given]) => {
    const pull = await (await openApi(context)).call("pull_merge", { number: readNumber(given), method });
    answer(context, pull, () => [
      pull.status === "merged"
        ? `Merged #${pull.number} into ${pull.base}: ${pull.merge_commit ?? ""}`
        : `#${pull.number} is still being merged.`,
      ...(pull.problem === null ? [] : [cleanText(pull.problem)]),
    ]);
    return undefined;
  });

  const close = shell
    .add({ name: "close", summary: "Close a pull request without merging it", examples: ["pr close 3"] }, group)
    .argument("<number>", "its number");
  shell.does(close, async (context, _options, [given]) => {
    const closed = await (await openApi(context)).call("pull_close", { number: readNumber(given) });
    answer(context, closed, () => [`Closed #${closed.number}. The branch stays.`]);
    return undefined;
  });
}

function readNumber(given = ""): number {
  const number = Number(given.replace(/^#/, ""));
  if (Number.isInteger(number) && number > 0) return number;
  throw new Refusal(
    "INVALID_REQUEST",
    "A pull request is named by its number.",
    "See the numbers with: crewdeck pr list",
  );
}

const rowOf = (pull: Pull): string[] => [
  pull.number === null ? none : String(pull.number),
  pull.sent_back ? "changes requested" : pull.status,
  cleanText(pull.title),
  pull.branch,
  pull.developer,
  agoText(pull.updated_at),
];

function showLines({ current, comments, ...pull }: Detail): string[] {
  return [
    `#${pull.number}  ${cleanText(pull.title)}`,
    `${pull.sent_back ? "changes requested" : pull.status}  ${pull.branch} into ${pull.base}  by ${pull.developer}`,
    ...(pull.url === null ? [] : [pull.url]),
    ...(pull.problem === null ? [] : [cleanText(pull.problem)]),
    ...(pull.description === "" ? [] : ["", ...pull.description.split("\n").map(cleanText)]),
    ...(current === null ? [] : ["", ...currentLines(current)]),
    ...(comments.length === 0 ? [] : ["", "COMMENTS", ...comments.flatMap(commentLines)]),
  ];
}

function currentLines(now: NonNullable<Detail["current"]>): string[] {
  const { ahead, behind, conflicts, commits, files } = now;
  return [
    `${count(ahead, "commit")}, ${count(files.length, "file")}${behind === 0 ? "" : `, ${behind} behind its base`}`,
    ...(conflicts.length === 0 ? [] : [`Conflicts: ${conflicts.map(cleanText).join(", ")}`]),
    ...commits.map(({ id, subject }) => `  ${id.slice(0, 10)}  ${cleanText(subject)}`),
    ...files.map(({ path, change }) => `  ${change.padEnd(8)}  ${cleanText(path)}`),
  ];
}

const commentLines = ({ developer, path, line, body }: Detail["comments"][number]): string[] => [
  `  ${developer}${path === null ? "" : `  ${cleanText(path)}${line === null ? "" : `:${line}`}`}`,
  ...body.split("\n").map((text) => `    ${cleanText(text)}`),
];

/** All pages of it. */
async function readDiff(api: Api, number: number): Promise<Diff> {
  const first = await api.call("pull_diff", { number });
  const files = [...first.files];
  for (let left = first.files_left; left > 0; ) {
    const next = await api.call("pull_diff", { number, after: files.at(-1)?.path });
    files.push(...next.files);
    left = next.files.length === 0 ? 0 : next.files_left;
  }
  return { ...first, files, files_left: 0 };
}

/** Nothing in it steers the screen, whoever wrote it. */
function diffLines({ files }: Diff, screen: Screen): string[] {
  const lines = files.flatMap((file) => unifiedDiff(file));
  return lines.length === 0 ? ["The pull request changes no files."] : lines.map((line) => drawLine(screen, line));
}

function drawLine(screen: Screen, line: string): string {
  const text = showHidden(line);
  if (line.startsWith("@@")) return paint(screen, "cyan", text);
  return line.startsWith("+") ? paint(screen, "green", text) : line.startsWith("-") ? paint(screen, "red", text) : text;
}
