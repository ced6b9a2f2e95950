import { basename, resolve } from "node:path";
import { saySymbolClash } from "../../../contract/symbol-clash.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { type Context, note } from "../context.ts";
import { paint, type Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { fitLine, table } from "../table.ts";
import { cleanText, count, none, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Outlook = AnswerOf<"collision_list">;
type Collision = Outlook["collisions"][number];
type Worktree = Outlook["worktrees"][number];
type Order = AnswerOf<"merge_order">;

interface Options {
  readonly repo?: string;
  readonly all?: true;
  readonly watch?: true;
  readonly order?: true | readonly string[];
}

/** Work under way that will collide, and work that is behind its base. */
export function addConflicts(shell: Shell): void {
  const conflicts = shell
    .add({
      name: "conflicts",
      summary: "Show which worktrees can't be merged with each other",
      examples: ["conflicts", "conflicts --watch", "conflicts --all --json", "conflicts --order cards refunds"],
    })
    .option("--repo <dir>", "a folder of the repository (default: the current one)")
    .option("--all", "also worktrees that change the same files in different places")
    .option("--watch", "refresh when something changes, until Ctrl-C")
    .option("--order [branch...]", "in which order these branches merge best (default: all in worktrees)");
  shell.does<Options>(conflicts, async (context, { watch = false, all = false, repo, order }) => {
    const api = await openApi(context);
    await showOrWatch(context, watch, async () => {
      if (order !== undefined) {
        const branches = order === true ? {} : { branches: [...order] };
        const found = await api.call("merge_order", { repository_path: resolve(repo ?? "."), ...branches });
        return context.isJson ? [toJson(found)] : orderLines(found, context.screen);
      }
      const outlook = await api.call("collision_list", { repository_path: resolve(repo ?? "."), all });
      return context.isJson ? [toJson(outlook)] : conflictLines(outlook, context.screen);
    });
    return undefined;
  });

  const behind = shell
    .add({
      name: "behind",
      summary: "Show how far each worktree is behind, and what of that concerns it",
      examples: ["behind", "behind --repo ../shop"],
    })
    .option("--repo <dir>", "a folder of the repository (default: the current one)");
  shell.does<Options>(behind, async (context, { repo }) => {
    const outlook = await (await openApi(context)).call("collision_list", { repository_path: resolve(repo ?? ".") });
    await showOrWatch(context, false, async () =>
      context.isJson ? [toJson({ base: outlook.base, worktrees: outlook.worktrees })] : behindLines(outlook, context),
    );
    return undefined;
  });
}

function conflictLines(outlook: Outlook, screen: Screen): string[] {
  const names = new Map(outlook.worktrees.map((worktree) => [worktree.path, nameOf(worktree)]));
  const nameAt = (path: string): string => names.get(path) ?? path;
  const lines = outlook.collisions.flatMap((collision) => [
    `${paint(screen, styles[collision.verdict], words[collision.verdict])}  ${fitLine(screen, collision.between.map(nameAt).join(" and "), widthOfWords)}`,
    ...collision.places.map((place) => `  ${fitLine(screen, placeText(place), 2)}`),
  ]);
  const skipped = outlook.worktrees.filter(({ left_out }) => left_out !== null);
  const heavy = outlook.worktrees.filter((worktree) => worktree.skipped > 0);
  return [
    ...(lines.length === 0 ? [`No collisions among ${count(outlook.worktrees.length, "worktree")}.`] : lines),
    ...skipped.map((one) => fitLine(screen, `Not checked: ${nameOf(one)}, ${reasons[one.left_out ?? "unreadable"]}.`)),
    ...heavy.map((one) =>
      fitLine(screen, `Not checked: ${count(one.skipped, "untracked file")} over 1 MiB in ${nameOf(one)}.`),
    ),
    ...(outlook.left_out > 0 ? [`Not checked: ${count(outlook.left_out, "more worktree")}.`] : []),
  ];
}

function orderLines({ base, steps, left_out }: Order, screen: Screen): string[] {
  if (base === null) return ["The repository has no main branch to merge into."];
  if (steps.length === 0) return [`No branch has commits that ${base} lacks.`];
  return [
    `Into ${cleanText(base)}, in this order:`,
    ...steps.flatMap((step, at) => [
      `${String(at + 1).padStart(3)}. ${cleanText(step.branch)}  ${paint(screen, verdicts[step.verdict].style, verdicts[step.verdict].text)}`,
      ...(step.verdict === "conflict" ? [`     ${fitLine(screen, rivalsText(step, base), 5)}`] : []),
      ...(step.command === null ? [] : [`     then ${cleanText(step.command)}`]),
    ]),
    ...(left_out > 0 ? [`Not tried: ${left_out} more.`] : []),
  ];
}

const verdicts = {
  clean: { style: "green", text: "merges cleanly" },
  unknown: { style: "yellow", text: "couldn't be tried" },
  conflict: { style: "red", text: "conflicts" },
} as const satisfies Record<Order["steps"][number]["verdict"], object>;

function rivalsText({ conflicts, against }: Order["steps"][number], base: string): string {
  const rivals = against.length === 0 ? base : against.join(", ");
  return `with ${rivals}${conflicts.length === 0 ? "" : `: ${conflicts.join(", ")}`}`;
}

function placeText({ path, heading, symbol }: Collision["places"][number]): string {
  if (symbol === null) return heading === null ? path : `${path}  ${heading}`;
  return `${path}  ${saySymbolClash({ ...symbol, definedIn: symbol.defined_in })}`;
}

const words = {
  conflict: "Conflict ",
  unknown: "Unknown  ",
  symbol: "Symbol   ",
  near: "Close    ",
  "same-file": "Same file",
} as const satisfies Record<Collision["verdict"], string>;
const widthOfWords = "Conflict   ".length;
const styles = { conflict: "red", unknown: "yellow", symbol: "red", near: "yellow", "same-file": "dim" } as const;
const reasons = {
  unsettled: "a merge or rebase is under way",
  "too-large": "it changes too many files",
  unreadable: "it can't be read",
} as const;

function behindLines({ base, base_ref, worktrees }: Outlook, context: Context): string[] {
  if (base === null) return ["The repository has no main branch to be behind of."];
  const late = worktrees.filter(({ behind }) => (behind?.commits ?? 0) > 0);
  const merged = late.filter(({ taken, done_by }) => taken !== null && done_by === null).map(nameOf);
  if (merged.length > 0) note(context, cleanText(`${base} has the work of ${merged.join(", ")} already.`));
  for (const worktree of late) {
    const { done_by } = worktree;
    if (done_by === null) continue;
    const commit = `${done_by.commit.slice(0, 10)} ${done_by.subject}`;
    note(context, cleanText(`Is ${nameOf(worktree)} still needed? ${base} may have its work already: ${commit}`));
  }
  if (late.length === 0) return [`Every worktree has all of ${base}.`];
  if (late.some(({ behind }) => (behind?.concerning ?? 0) > 0))
    note(context, `Catch up with \`git rebase ${base_ref}\`.`);
  const lines = table(
    late.map((worktree) => [
      nameOf(worktree),
      String(worktree.behind?.commits ?? 0),
      concernText(worktree.behind),
      worktree.behind?.conflicts.join(", ") || none,
      firstText(worktree.behind?.newest[0]),
    ]),
    {
      screen: context.screen,
      heading: ["WORKTREE", "BEHIND", "CONCERN IT", "CONFLICTS", "FIRST"],
      flexible: [4, 3, 0],
      optional: [4],
    },
  );
  return [...lines, ...late.flatMap((worktree) => moreLines(worktree, context.screen))];
}

/** What else concerns it, where that is more than its row has room for. */
function moreLines(worktree: Worktree, screen: Screen): string[] {
  const newest = worktree.behind?.newest ?? [];
  if (newest.length < 2) return [];
  return [
    fitLine(screen, `${nameOf(worktree)}:`),
    ...newest.map((one) => `  ${fitLine(screen, `${one.commit.slice(0, 10)} ${firstText(one)} (${one.author})`, 2)}`),
  ];
}

const nameOf = ({ who, branch, path }: Worktree): string =>
  who === null ? (branch ?? basename(path)) : `${who.agent} of ${who.developer} on ${branch ?? basename(path)}`;

type Behind = Worktree["behind"];

/** How many, and of what kind where that is more than the same file. */
function concernText(behind: Behind): string {
  const { concerning = 0, functions = 0, symbols = 0 } = behind ?? {};
  const kinds = [symbols > 0 ? count(symbols, "symbol") : "", functions > 0 ? count(functions, "function") : ""];
  const said = kinds.filter(Boolean).join(", ");
  return said === "" ? String(concerning) : `${concerning} (${said})`;
}

const firstText = (first: NonNullable<Behind>["newest"][number] | undefined): string =>
  first === undefined ? none : `${first.name ?? first.path}: ${first.subject}`;
