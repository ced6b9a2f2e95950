import type { PullId } from "../../contract/ids.ts";
import type { MergeMethod } from "./model.ts";

export type { MergeMethod };

/** What is asked of git and of code hosts, and what they answer, in plain data. */

export interface PullPorts {
  /** A branch, its base and where both are kept. Refuses what cannot become a pull request; changes nothing. */
  survey(ask: SurveyAsk, signal: AbortSignal): Promise<Survey>;
  /** What a branch would bring to its base as both are now. */
  compare(ask: CompareAsk, signal: AbortSignal): Promise<Comparison>;
  /** Whether a base can be moved on: refuses where somebody has changed files of it. */
  checkTarget(ask: Pick<CompareAsk, "repositoryPath" | "base">, signal: AbortSignal): Promise<void>;
  /** How a pull request stands at its host; undefined where that is as the last time. */
  readState(ask: StateAsk, signal: AbortSignal): Promise<HostState | undefined>;
  /** The repository at its code host that a folder belongs to; null where it has none. */
  findHost(folder: string, signal: AbortSignal): Promise<CodeHost | null>;
  /** Where people open a pull request of our own; `{number}` stands for its number. */
  pageAddress(): string;
}

export interface SurveyAsk {
  readonly repositoryPath: string;
  readonly branch: string;
  /** What was asked for; refused where there is no such branch. */
  readonly base: string | null;
  /** What counts if nothing was asked for; the repository's default where that is missing too. */
  readonly ownBase: string | null;
}

export interface CodeHost {
  readonly apiUrl: string;
  readonly owner: string;
  readonly name: string;
  readonly remote: string;
}

export interface Survey {
  /** The repository's main folder, which every worktree of it shares. */
  readonly repositoryPath: string;
  readonly branch: string;
  readonly head: string;
  readonly base: string;
  readonly host: CodeHost | null;
}

export interface CompareAsk {
  readonly repositoryPath: string;
  readonly branch: string;
  readonly base: string;
  /** Where the branch is gone, what it was. */
  readonly head: string;
  /** Set once it is over: then it is shown as it was. */
  readonly endedAt: number | null;
  /** Where the base stood before it was merged. */
  readonly baseBefore: string | null;
}

export interface Comparison {
  readonly head: string;
  readonly isBranchGone: boolean;
  /** Where both began to differ. */
  readonly fork: string;
  readonly ahead: number;
  readonly behind: number;
  readonly commits: readonly { readonly id: string; readonly subject: string; readonly author: string }[];
  readonly files: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[];
  /** Files that git cannot merge by itself. */
  readonly conflicts: readonly string[];
}

export interface OpenPull {
  readonly pullId: PullId;
  readonly repositoryPath: string;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly description: string;
  readonly host: CodeHost | null;
  readonly at: number;
}

export interface OpenedPull {
  readonly head: string;
  /** Null where the pull request is our own: it has a number once it is recorded. */
  readonly at: { readonly number: number; readonly url: string } | null;
}

export interface MergePull {
  readonly pullId: PullId;
  readonly repositoryPath: string;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  readonly method: MergeMethod;
  readonly message: string;
  readonly by: { readonly name: string; readonly email: string };
  readonly at: number;
}

export interface MergedPull {
  readonly commit: string;
  /** Where the base stood before. */
  readonly before: string;
  /** Folders that show the base and could not be brought along. */
  readonly left: readonly string[];
}

export interface StateAsk {
  /** `owner/name`. */
  readonly address: string;
  readonly number: number;
  readonly etag: string | null;
}

export interface HostState {
  readonly status: "open" | "merged" | "closed";
  readonly mergeCommit: string | null;
  readonly etag: string | null;
}

/** One issue to be filed. */
export interface FileIssue {
  readonly issueId: string;
  readonly address: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

export interface FiledIssueAt {
  readonly number: number;
  readonly url: string;
  readonly isCreated: boolean;
}
