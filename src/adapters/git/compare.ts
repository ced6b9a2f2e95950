import { Refusal } from "../../contract/refusal.ts";
import type { CompareAsk, Comparison } from "../../domain/pull/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import { listMoves } from "../evidence/git-commits.ts";
import { openTree } from "../evidence/snapshot.ts";
import type { GitArgs } from "./commands.ts";
import { listConflicts } from "./merge-commits.ts";
import { branchRef, countCommits, findCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";

const mostCommits = 200;

/** What a branch would bring to its base as both are now. */
export async function compareBranch(repository: Repository, ask: CompareAsk, signal: AbortSignal): Promise<Comparison> {
  const { base, head } = await findEnds(repository, ask);
  const fork = await repository.git(["merge-base", "--end-of-options", base, head.commit], { answers: [1] });
  if (fork.code !== 0) throw new Refusal("INVALID_STATE", "The branch shares no history with its base.");
  const moves = await listMoves(await openTree(ask.repositoryPath, signal), fork.text, head.commit);
  const isMerged = fork.text === head.commit;
  return {
    head: head.commit,
    isBranchGone: head.isGone,
    fork: fork.text,
    ahead: await countCommits(repository, head.commit, base),
    behind: await countCommits(repository, base, head.commit),
    commits: await listCommits(repository, base, head.commit),
    files: [...moves].map(([name, { before, after }]) => ({ path: textOfName(name), before, after })),
    conflicts: isMerged ? [] : await listConflicts(repository, base, head.commit),
  };
}

/** Both commits; a branch that was deleted is what it was when it was last seen, as long as git still has that. */
export async function findEnds(
  repository: Repository,
  ask: Pick<CompareAsk, "branch" | "base" | "head"> & Partial<Pick<CompareAsk, "endedAt" | "baseBefore">>,
): Promise<{ readonly base: string; readonly head: { readonly commit: string; readonly isGone: boolean } }> {
  const base = await findCommit(repository, ask.baseBefore ?? branchRef(ask.base));
  if (base === undefined) throw new Refusal("INVALID_STATE", `Branch ${ask.base} does not exist any more.`);
  const isOver = ask.endedAt !== undefined && ask.endedAt !== null;
  const commit = await findCommit(repository, isOver ? ask.head : branchRef(ask.branch));
  if (commit !== undefined) return { base, head: { commit, isGone: false } };
  const last = await findCommit(repository, ask.head);
  if (last === undefined) throw new Refusal("INVALID_STATE", `Branch ${ask.branch} does not exist any more.`);
  return { base, head: { commit: last, isGone: true } };
}

async function listCommits({ git }: Repository, base: string, head: string): Promise<Comparison["commits"]> {
  const format = "--format=%H%x00%s%x00%an";
  const args: GitArgs = ["log", "-z", format, `--max-count=${mostCommits}`, "--end-of-options", head, `^${base}`];
  const words = (await git(args)).stdout.toString("utf8").split("\0");
  const commits: { id: string; subject: string; author: string }[] = [];
  for (let at = 0; at + 2 < words.length; at += 3) {
    commits.push({ id: words[at] ?? "", subject: words[at + 1] ?? "", author: words[at + 2] ?? "" });
  }
  return commits;
}
