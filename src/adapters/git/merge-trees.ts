import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { textOfName } from "../evidence/file-names.ts";
import { Attributes } from "./attributes.ts";
import type { GitArgs } from "./commands.ts";
import { readNames } from "./names.ts";
import type { Repository } from "./repository.ts";
import { gitError } from "./run.ts";
import { viewRoot } from "./view.ts";

/** The tree in which two commits are merged, and the files that git cannot merge by itself. */
export type MergeTrees = (
  one: string,
  other: string,
) => Promise<{ readonly tree: string; readonly conflicts: readonly string[] }>;

/**
 * Merges that stay. Only objects are written, and the result is git's own where the first of two is checked out: its
 * `.gitattributes` count. They lie in a folder that is made for this once, so that nobody who tidies has been at it.
 */
export async function withMerges<T>(repository: Repository, body: (merge: MergeTrees) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(viewRoot(), "attributes-"));
  const attributes = new Attributes(scratch);
  try {
    return await body(async (one, other) =>
      mergeTrees(repository, [one, other], await attributes.folderOf(repository, one)),
    );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function mergeTrees(
  { git }: Repository,
  [one, other]: readonly [string, string],
  workTree: string | undefined,
): ReturnType<MergeTrees> {
  const args: GitArgs = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", one, other];
  const { code, stdout } = await git(args, { workTree, answers: [1, 128, 129] });
  if (code > 1) {
    throw new Refusal(
      "GIT_ERROR",
      "Git could not merge the two.",
      "Git 2.38 or newer and a shared history are needed.",
    );
  }
  const [tree, ...names] = readNames(stdout);
  if (tree === undefined) throw gitError("merge-tree", "it named no tree");
  return { tree, conflicts: code === 0 ? [] : [...new Set(names.filter((name) => name !== ""))].map(textOfName) };
}
