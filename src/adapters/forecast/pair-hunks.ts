import type { PairFile, PairHunk } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { Attributes } from "../git/attributes.ts";
import { type RawName, rawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";

/** More than a reader goes through; the rest is only counted. */
const mostFiles = 20;
const mostHunks = 50;
const mostLines = 200;
const mostBytes = 4 * 1024 * 1024;
/** An id of either length, a type and a size. */
const longestHead = 200;

/** What git cannot merge of two commits, both sides of each place. */
export async function readPair(
  repository: Repository,
  { one, other }: { readonly one: string; readonly other: string },
  attributes: Attributes,
): Promise<readonly PairFile[]> {
  const [workTree] = await attributes.foldersOf(repository, [one]);
  const { stdout } = await repository.git(
    ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other],
    { workTree, answers: [1] },
  );
  const [tree = "", ...rest] = rawName(stdout).split("\0");
  const names = [...new Set(rest.filter((name) => name !== ""))];
  const files: PairFile[] = [];
  for (const name of names.slice(0, mostFiles)) files.push(await readFile(repository, tree, name, { one, other }));
  return files;
}

async function readFile(
  { git }: Repository,
  tree: string,
  name: RawName,
  labels: { readonly one: string; readonly other: string },
): Promise<PairFile> {
  const path = textOfName(name);
  // Names go in as bytes, one to a line; one that has a line of its own is not asked for.
  if (name.includes("\n")) return { path, hunks: [], isCut: true };
  const { stdout } = await git(["cat-file", "--batch"], { input: Buffer.from(`${tree}:${name}\n`, "latin1") });
  const [head, size] = /^[0-9a-f]+ blob (\d+)\n/.exec(rawName(stdout.subarray(0, longestHead))) ?? [];
  // Deleted on one side, or two kinds of things under one name: there are no lines to show.
  if (head === undefined) return { path, hunks: [], isCut: false };
  const content = stdout.subarray(head.length, head.length + Number(size));
  if (content.length > mostBytes || content.includes(0)) return { path, hunks: [], isCut: true };
  const hunks = readHunks(content.toString("utf8"), labels);
  return { path, hunks: hunks.slice(0, mostHunks), isCut: hunks.length > mostHunks };
}

/** Git marks both sides with the names it was given, which are those of commits: no line of a file reads like that. */
function readHunks(text: string, { one, other }: { readonly one: string; readonly other: string }): PairHunk[] {
  const hunks: PairHunk[] = [];
  let sides: [string[], string[]] | undefined;
  let isSecond = false;
  let startsAt = 0;
  let width = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (sides === undefined) {
      // Attributes say how long marks are.
      width = /^<+(?= )/.exec(line)?.[0].length ?? 0;
      if (width === 0 || !line.startsWith(one, width + 1)) continue;
      [sides, isSecond, startsAt] = [[[], []], false, at + 1];
    } else if (line.startsWith(`${">".repeat(width)} ${other}`)) {
      hunks.push({ line: startsAt, one: sides[0].slice(0, mostLines), other: sides[1].slice(0, mostLines) });
      sides = undefined;
    } else if (!isSecond && line === "=".repeat(width)) isSecond = true;
    else sides[isSecond ? 1 : 0].push(line);
  }
  return hunks;
}
