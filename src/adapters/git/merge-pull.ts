import { Refusal } from "../../contract/refusal.ts";
import type { Hand, Turn } from "../../domain/errand.ts";
import type { MergedPull, MergePull } from "../../domain/pull/port.ts";
import { advance } from "./advance.ts";
import { findEnds } from "./compare.ts";
import type { GitHost } from "./host.ts";
import { makeMerge } from "./merge-commits.ts";
import { branchRef } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** Merges pull requests of our own: the commit is made among git's objects, then the base moves to it. */
export const mergePulls = (host: GitHost): Hand<MergePull, MergedPull> => ({
  run: (ask, turn) => host.work(ask.repositoryPath, turn.signal, (repository) => merge(repository, ask, turn)),
});

async function merge(repository: Repository, ask: MergePull, turn: Turn): Promise<MergedPull> {
  const ref = branchRef(ask.base);
  const { base, head } = await findEnds(repository, ask);
  if (turn.attempt > 1) {
    const earlier = await findEarlier(repository, ask, base);
    if (earlier)
      return { commit: base, before: earlier, left: await advance(repository, { ref, from: earlier, to: base }) };
  }
  if (head.commit !== ask.head) {
    throw new Refusal(
      "INVALID_STATE",
      "The branch has moved since the merge was asked for.",
      "Read it, then merge again.",
    );
  }
  const to = await makeMerge(repository, { ...ask, base, head: head.commit });
  if (to === base) throw new Refusal("INVALID_STATE", "The base has everything already.", "Close the pull request.");
  return { commit: to, before: base, left: await advance(repository, { ref, from: base, to }) };
}

/** Where the base stood before an attempt that was interrupted after it had moved it: the same merge leads to where it is. */
async function findEarlier(repository: Repository, ask: MergePull, base: string): Promise<string | undefined> {
  const { text } = await repository.git(["rev-list", "--first-parent", "--max-count=101", "--end-of-options", base]);
  for (const candidate of text.split("\n").slice(1, ask.method === "rebase" ? 101 : 2)) {
    const again = await makeMerge(repository, { ...ask, base: candidate }).catch(() => undefined);
    if (again === base) return candidate;
  }
  return undefined;
}
