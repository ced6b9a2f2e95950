import type { Attributes } from "../git/attributes.ts";
import { type RawName, rawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";

/** What git says of two commits: the files it cannot merge, none where all is well; undefined where it could not try. */
type Tried = readonly RawName[] | undefined;

/** Tries merges, each as it comes out where the first of the two is checked out: its attributes count, as with git. */
export async function tryMerges(
  repository: Repository,
  pairs: readonly (readonly [string, string])[],
  attributes: Attributes,
): Promise<Tried[]> {
  const folders = await attributes.foldersOf(
    repository,
    pairs.map(([one]) => one),
  );
  const tried: Tried[] = pairs.map(() => undefined);
  for (const folder of new Set(folders)) {
    const batch = [...pairs.entries()].filter(([at]) => folders[at] === folder);
    const answers = await tryBatch(
      repository,
      batch.map(([, pair]) => pair),
      folder,
    );
    for (const [place, [at]] of batch.entries()) tried[at] = answers[place];
  }
  return tried;
}

/**
 * Tries merges, many in one process. Git gives up a whole batch at the first object it cannot find: what it had answered
 * by then counts, the next pair is unknown, and the rest is tried in another process.
 */
async function tryBatch(
  repository: Repository,
  pairs: readonly (readonly [string, string])[],
  workTree: string | undefined,
): Promise<Tried[]> {
  const tried: Tried[] = [];
  while (tried.length < pairs.length) {
    const rest = pairs.slice(tried.length);
    const input = rest.map(([one, other]) => `${one} ${other}\n`).join("");
    const { code, stdout } = await repository.git(
      ["merge-tree", "--write-tree", "--stdin", "--name-only", "--no-messages"],
      { input, workTree, answers: [1, 128] },
    );
    const answered = readTries(stdout);
    if (answered.length > rest.length) throw new Error("git answered more merges than it was asked for");
    tried.push(...answered);
    if (answered.length === rest.length) continue;
    if (code === 0) throw new Error("git left a merge unanswered");
    tried.push(undefined);
  }
  return tried;
}

/** Each answer is a flag, a tree, the names in conflict and an empty one. What was cut off at the end is no answer. */
function readTries(output: Buffer): (readonly RawName[])[] {
  const words = rawName(output).split("\0");
  const tried: RawName[][] = [];
  let at = 0;
  for (;;) {
    const end = words.indexOf("", at + 2);
    if (end === -1 || end === words.length - 1) return tried;
    // A file can be in conflict for several reasons and is named once for each.
    tried.push([...new Set(words[at] === "1" ? [] : words.slice(at + 2, end))]);
    at = end + 1;
  }
}
