import type { FolderSnapshot } from "../../domain/evidence/port.ts";
import type { GitArgs } from "../git/commands.ts";
import { bytesOf, type RawName, readNames } from "../git/names.ts";
import type { Identity } from "./disk-reader.ts";
import type { LookedAt } from "./git-repository.ts";
import { identityOf } from "./git-status.ts";

/** The tree of a repository that has no commit yet; git knows it without storing it. */
const emptyTrees = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

interface Base {
  readonly commit: string | null;
  /** Why it is not the one the task started from. */
  readonly warning?: string;
}

const mainLines = ["@{upstream}", "refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"];

/**
 * The commit to compare with: the one at the start; where it is gone, the merge base with its nearest ancestor that is
 * left; where none is, the last commit shared with the main line.
 */
export async function findBase(
  { run }: LookedAt,
  { head: start, ancestors = [] }: Pick<FolderSnapshot, "head" | "ancestors">,
  head: string | null,
): Promise<Base> {
  if (start === null || (await run(["cat-file", "-e", `${start}^{commit}`], [1, 128])).code === 0) {
    return { commit: start };
  }
  const input = ancestors.map((commit) => `${commit}\n`).join("");
  const { text: found } = await run(["cat-file", "--batch-check"], [], input);
  const left = found.split("\n").flatMap((line) => (line.includes(" commit ") ? line.split(" ", 1) : []));
  for (const line of [...left.slice(0, 1), ...mainLines]) {
    if (head === null) break;
    const { code, text } = await run(["merge-base", head, line], [1, 128]);
    if (code !== 0 || (text === head && !left.includes(line))) continue;
    return {
      commit: text,
      warning: "The commit the task started from is gone; compared with the merge base instead.",
    };
  }
  return { commit: head, warning: "The commit the task started from is gone; only uncommitted changes are known." };
}

const mostAncestors = 100;

/** What comes before a commit on its own line, nearest first. */
export async function listAncestors({ run }: LookedAt, head: string | null): Promise<string[]> {
  if (head === null) return [];
  const args: GitArgs = ["rev-list", "--first-parent", "--skip=1", `--max-count=${mostAncestors}`, head, "--"];
  const { code, text } = await run(args, [128]);
  return code === 0 && text !== "" ? text.split("\n") : [];
}

interface Move {
  readonly before: Identity;
  readonly after: Identity;
}

const diffArgs = [
  "diff-tree",
  "-r",
  "-z",
  "--raw",
  "--no-renames",
  "--no-abbrev",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=none",
] as const;

/** What differs between two commits, by path. */
export async function listMoves(
  { run, algorithm }: LookedAt,
  from: string | null,
  to: string | null,
): Promise<Map<RawName, Move>> {
  const moves = new Map<RawName, Move>();
  if (from === to) return moves;
  const empty = emptyTrees[algorithm];
  const { stdout } = await run([...diffArgs, from ?? empty, to ?? empty]);
  const words = readNames(stdout);
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [before = "", after = "", was = "", is = ""] = (words[at] ?? "").slice(1).split(" ");
    moves.set(words[at + 1] ?? "", { before: identityOf(before, was), after: identityOf(after, is) });
  }
  return moves;
}

const namesAtOnce = 200;

/** What a commit has at these paths. */
export async function readEntries(
  { run }: LookedAt,
  commit: string | null,
  names: readonly RawName[],
): Promise<Map<RawName, Identity>> {
  const entries = new Map<RawName, Identity>();
  for (let at = 0; commit !== null && at < names.length; at += namesAtOnce) {
    // Arguments are text: a name that is no text cannot be asked for and counts as missing.
    const some = names.slice(at, at + namesAtOnce).map((name) => bytesOf(name).toString("utf8"));
    const { stdout } = await run(["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...some]);
    for (const [name, identity] of entriesIn(stdout)) entries.set(name, identity);
  }
  return entries;
}

/** The files that `ls-tree -z` lists. */
export const entriesIn = (stdout: Buffer): [RawName, Identity][] =>
  readNames(stdout).map((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", , hash = ""] = line.slice(0, tab).split(" ");
    return [line.slice(tab + 1), identityOf(mode, hash)];
  });
