import { existsSync } from "node:fs";
import { Refusal } from "../../contract/refusal.ts";
import type { Hand, Turn } from "../../domain/errand.ts";
import type { FiledIssueAt, FileIssue, OpenedPull, OpenPull, PullPorts } from "../../domain/pull/port.ts";
import { checkHolders } from "../git/advance.ts";
import { compareBranch } from "../git/compare.ts";
import { removeFeedbackFile, settleFeedbackFile } from "../git/feedback-file.ts";
import type { GitHost } from "../git/host.ts";
import { mergePulls } from "../git/merge-pull.ts";
import { hasBranch, pushBranch } from "../git/push.ts";
import { branchRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { surveyBranch } from "../git/survey.ts";
import type { GitHub } from "./hosts.ts";
import { fileIssue } from "./issues.ts";
import { obtainPull, readPullState } from "./pulls.ts";

/** What is done for pull requests and issues, by kind of work. */
export const pullHands = (git: GitHost, github: GitHub) => ({
  "pull.open": openPulls(git, github),
  "pull.merge": mergePulls(git),
  "issue.file": fileIssues(github),
});

/** What is known of branches and code hosts before a decision. */
export const pullPorts = (
  git: GitHost,
  github: GitHub,
  pageAddress: PullPorts["pageAddress"],
): { readonly pull: PullPorts } => ({
  pull: {
    survey: (ask, signal) =>
      git.look(ask.repositoryPath, signal, async (repository) =>
        surveyBranch(repository, ask, await github.findHost(repository)),
      ),
    compare: (ask, signal) =>
      git.look(ask.repositoryPath, signal, (repository) => compareBranch(repository, ask, signal)),
    checkTarget: ({ repositoryPath, base }, signal) =>
      git.look(repositoryPath, signal, (repository) => checkHolders(repository, branchRef(base))),
    readState: async (ask, signal) => readPullState(await github.client(), ask, signal),
    findHost: async (folder, signal) =>
      existsSync(folder) ? git.look(folder, signal, (repository) => github.findHost(repository)) : null,
    pageAddress,
  },
});

/** Takes the reviewers' file off the branch and, where there is a code host, brings the branch and the request there. */
const openPulls = (git: GitHost, github: GitHub): Hand<OpenPull, OpenedPull> => ({
  run: (ask, turn) =>
    git.work(ask.repositoryPath, turn.signal, async (repository) => {
      const { host, branch } = ask;
      if (host === null) return { head: await tidy(repository, ask, turn), at: null };
      const way = await github.findWay(repository);
      // Before anything leaves this machine: a request for an unknown base would leave a branch that nobody wanted.
      if (!(await hasBranch(repository, { ...way, branch: ask.base }))) throw unknownBase();
      const head = await tidy(repository, ask, turn);
      await pushBranch(repository, { ...way, branch, commit: head });
      return { head, at: await obtainPull(await github.client(), { ...ask, host }, turn.signal) };
    }),
});

const unknownBase = (): Refusal =>
  new Refusal("INVALID_INPUT", "The remote has no base branch of that name.", "Name a branch that exists there.");

async function tidy(repository: Repository, { branch, at }: OpenPull, turn: Turn): Promise<string> {
  const head = await settleFeedbackFile(repository, { branch, isRepeated: turn.attempt > 1 });
  if (head === undefined) throw new Refusal("INVALID_STATE", "The branch is gone.", "Restore it, then call again.");
  return removeFeedbackFile(repository, { branch, head, at });
}

const fileIssues = (github: GitHub): Hand<FileIssue, FiledIssueAt> => ({
  run: async (ask, turn) => fileIssue(await github.client(), ask, turn.signal),
});
