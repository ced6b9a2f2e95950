import { basename, dirname } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { CodeHost, Survey, SurveyAsk } from "../../domain/pull/port.ts";
import type { GitArgs } from "./commands.ts";
import { feedbackFile } from "./feedback-file.ts";
import { readNames } from "./names.ts";
import { branchRef, findCommit } from "./refs.ts";
import type { Repository } from "./repository.ts";

/** Looks at a branch and what it would be merged into. Refuses what cannot become a pull request. */
export async function surveyBranch(repository: Repository, ask: SurveyAsk, host: CodeHost | null): Promise<Survey> {
  const { branch } = ask;
  const head = isPlainName(branch) ? await findCommit(repository, branchRef(branch)) : undefined;
  if (head === undefined) throw refuse("There is no branch of that name.", "Name a branch of this repository.");
  const { base, commit } = await findTarget(repository, ask, host?.remote ?? null);
  if (base === branch) throw refuse("A branch cannot be merged into itself.", "Name another base_branch.");
  if (!(await hasChanges(repository, commit, head))) {
    throw new Refusal(
      "INVALID_STATE",
      `Branch ${branch} has no changes that ${base} lacks.`,
      "Commit your work to the branch first.",
    );
  }
  return { repositoryPath: mainFolderOf(repository), branch, head, base, host };
}

const mainFolderOf = ({ commonDir }: Repository): string =>
  basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;

/** Stricter than git: what passes can stand anywhere in a command or an address. */
const isPlainName = (name: string): boolean =>
  name !== "HEAD" &&
  /^(?![-./])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[A-Za-z0-9._/+#@-]{1,250}(?<![./])$/.test(name);

async function findTarget(
  repository: Repository,
  { base, ownBase, branch }: SurveyAsk,
  remote: string | null,
): Promise<{ readonly base: string; readonly commit: string }> {
  if (base !== null) {
    const commit = await findBaseCommit(repository, base, remote);
    if (commit === undefined) throw refuse("There is no base branch of that name.", "Name a branch that exists.");
    return { base, commit };
  }
  const candidates = [ownBase, ...(await listDefaults(repository, remote))];
  for (const candidate of candidates) {
    if (candidate === null || candidate === branch) continue;
    const commit = await findBaseCommit(repository, candidate, remote);
    if (commit !== undefined) return { base: candidate, commit };
  }
  throw refuse("It is not known what this branch is merged into.", "Pass base_branch.");
}

const findBaseCommit = async (repository: Repository, base: string, remote: string | null) =>
  (await findBaseRef(repository, base, remote))?.commit;

/** What a remote had when it was last heard of counts more than an old copy of it. */
export async function findBaseRef(
  repository: Repository,
  base: string,
  remote: string | null,
): Promise<{ readonly commit: string; readonly ref: string } | undefined> {
  if (!isPlainName(base)) return undefined;
  const remotes = remote === null ? [] : [{ full: `refs/remotes/${remote}/${base}`, ref: `${remote}/${base}` }];
  for (const { full, ref } of [...remotes, { full: branchRef(base), ref: base }]) {
    const commit = await findCommit(repository, full);
    if (commit !== undefined) return { commit, ref };
  }
  return undefined;
}

/** The remote's default branch as it was last heard of, the usual names, and what the main folder shows. */
export async function listDefaults({ git }: Repository, remote: string | null): Promise<string[]> {
  const followed = async (ref: string, prefix: string): Promise<string[]> => {
    const { text } = await git(["symbolic-ref", "-q", ref], { answers: [1, 128] });
    return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
  };
  const name = remote ?? "origin";
  return [
    ...(await followed(`refs/remotes/${name}/HEAD`, `refs/remotes/${name}/`)),
    "main",
    "master",
    ...(await followed("HEAD", "refs/heads/")),
  ];
}

/** The reviewer's file is no change: it is gone before anybody reads the diff. */
async function hasChanges({ git }: Repository, base: string, head: string): Promise<boolean> {
  const fork = await git(["merge-base", "--end-of-options", base, head], { answers: [1] });
  if (fork.code !== 0) return true;
  const args: GitArgs = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", fork.text, head];
  return readNames((await git(args)).stdout).some((name) => name !== feedbackFile);
}

const refuse = (message: string, hint: string): Refusal => new Refusal("INVALID_INPUT", message, hint);
