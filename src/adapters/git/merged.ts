import type { Repository } from "./repository.ts";

/** How a base came to have all the work of a commit. */
type Merge = "ancestor" | "rebased" | "squashed";

/** Whether a base has everything that was done on the way to `head`, however it was taken over. */
export async function findMerge(repository: Repository, head: string, base: string): Promise<Merge | undefined> {
  const { git } = repository;
  const ancestry = await git(["merge-base", "--is-ancestor", "--end-of-options", head, base], { answers: [1] });
  if (ancestry.code === 0) return "ancestor";
  const fork = await git(["merge-base", "--end-of-options", head, base], { answers: [1] });
  if (fork.code !== 0) return undefined;
  if (await hasEquivalents(repository, base, head)) return "rebased";
  const squashed = await squash(repository, head, fork.text);
  return (await hasEquivalents(repository, base, squashed)) ? "squashed" : undefined;
}

/** Every commit of `head` that `base` lacks has one in `base` that makes the same change. */
async function hasEquivalents({ git }: Repository, base: string, head: string): Promise<boolean> {
  const { text } = await git(["cherry", "--end-of-options", base, head]);
  const merges = await git(["rev-list", "--count", "--min-parents=2", "--end-of-options", head, `^${base}`]);
  // A merge has no change of its own that could be compared, but it may hold the resolution of a conflict.
  return text !== "" && merges.text === "0" && text.split("\n").every((line) => line.startsWith("- "));
}

/** All of a branch as one commit. It is the same object each time and belongs to no ref. */
async function squash({ git }: Repository, head: string, fork: string): Promise<string> {
  const env = { ...identity, GIT_AUTHOR_DATE: epoch, GIT_COMMITTER_DATE: epoch };
  return (await git(["commit-tree", "-m", "squashed", "-p", fork, `${head}^{tree}`], { env })).text;
}

/** Any time will do, as long as it is always the same. */
const epoch = "1000000000 +0000";

/** Who makes the commits that nobody sees. */
export const identity = {
  GIT_AUTHOR_NAME: "Crewdeck",
  GIT_AUTHOR_EMAIL: "crewdeck@localhost",
  GIT_COMMITTER_NAME: "Crewdeck",
  GIT_COMMITTER_EMAIL: "crewdeck@localhost",
};
