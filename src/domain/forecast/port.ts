import type { SymbolClash as NamedClash } from "../../contract/symbol-clash.ts";

/** What is asked of git about work that is under way in several folders at once, and what it answers, in plain data. */
export interface ForecastPorts {
  /** Tries the merges of all worktrees of a repository with each other, in secret: nothing in it is written. */
  look(ask: OutlookAsk, signal: AbortSignal): Promise<Outlook>;
  /** What git cannot merge of two worktrees, or of one and the base, as they are now. */
  compare(ask: PairAsk, signal: AbortSignal): Promise<readonly PairFile[]>;
  /** In which order branches go into their base with the fewest conflicts. */
  order(ask: OrderAsk, signal: AbortSignal): Promise<MergeOrder>;
  /** Whether the team wants code shared by those whose work does not collide (`claims: "forecast"`). */
  readonly judgesClaims: boolean;
}

export interface OutlookAsk {
  /** A folder of the repository, or of any of its worktrees. */
  readonly folder: string;
  /** Only these may have changed since the last look; left out, all of them. */
  readonly changed?: readonly string[] | undefined;
}

export interface OrderAsk {
  readonly folder: string;
  /** Left out, those that are checked out somewhere. */
  readonly branches?: readonly string[] | undefined;
  /** What they are merged into; left out, the repository's own default. */
  readonly base?: string | undefined;
}

export interface MergeOrder {
  readonly repositoryPath: string;
  readonly base: Outlook["base"];
  readonly steps: readonly OrderStep[];
  readonly checkedOut: readonly { readonly branch: string; readonly path: string }[];
  /** Names that no branch has. */
  readonly missing: readonly string[];
  /** Branches beyond the most that are put in order. */
  readonly leftOut: number;
}

/** A branch that is merged after those before it. */
export interface OrderStep {
  readonly branch: string;
  /** Git merges it; it has to be rebased or resolved first; it could not be tried. */
  readonly verdict: "clean" | "conflict" | "unknown";
  /** The files in conflict. */
  readonly conflicts: readonly string[];
  /** Branches before it that it conflicts with; none where it conflicts with the base, or only with several together. */
  readonly against: readonly string[];
}

export interface PairAsk {
  readonly repositoryPath: string;
  readonly one: string;
  /** Null for the base. */
  readonly other: string | null;
}

export interface PairFile {
  readonly path: string;
  /** None where one side has no lines, because it deleted the file or made something else of it. */
  readonly hunks: readonly PairHunk[];
  readonly isCut: boolean;
}

/** A place in conflict, as each side has it. */
export interface PairHunk {
  /** Where it begins in the file as git would leave it. */
  readonly line: number;
  readonly one: readonly string[];
  readonly other: readonly string[];
}

export interface Outlook {
  readonly repositoryPath: string;
  /** What everybody's work is going to be merged into; null where the repository does not say. */
  readonly base: {
    readonly branch: string;
    readonly commit: string;
    /** What git calls that commit: the branch, or the remote's as it was last heard of, such as `origin/main`. */
    readonly ref: string;
  } | null;
  readonly worktrees: readonly OutlookWorktree[];
  readonly meetings: readonly Meeting[];
  /** Worktrees beyond the most that are looked at. */
  readonly leftOut: number;
}

export interface OutlookWorktree {
  readonly path: string;
  /** Null where HEAD is detached. */
  readonly branch: string | null;
  readonly head: string;
  /** Where its work left the base. */
  readonly fork: string;
  /** Files that are changed and not committed. */
  readonly dirty: number;
  /** Untracked files that are too large to be looked at. */
  readonly skipped?: number;
  /** Files that differ from where the work left the base. */
  readonly changed: number;
  /** Why it is in no meeting; null where all is well. */
  readonly leftOutFor: LeftOutFor | null;
  readonly behind: Behind | null;
  /** How the base has its work already; null where it has not. */
  readonly taken?: Taken | null;
  /** The commit behind `alike` and `moot`. */
  readonly doneBy?: DoneBy | null;
}

/**
 * Commit by commit; as one commit; most of the lines it adds are in one commit; half of what it adds or removes is done by
 * one commit. The last two are questions rather than answers.
 */
export type Taken = "rebased" | "squashed" | "alike" | "moot";

/** A commit of the base that seems to do what somebody is still at. */
export interface DoneBy {
  readonly commit: string;
  readonly subject: string;
  /** Files that both change. */
  readonly paths: readonly string[];
}

/** In the middle of a merge or rebase; more changes than can be looked at; unreadable. */
export type LeftOutFor = "unsettled" | "too-large" | "unreadable";

/** How far a worktree is behind its base, and what of that concerns it. */
export interface Behind {
  readonly commits: number;
  /** Commits of the base that concern it, each counted once. */
  readonly concerning: number;
  /** Of these, those that change a function it is at work in; those that change a name it counts on, or count on one it changes. */
  readonly functions: number;
  readonly symbols: number;
  /** The first of these: for a name, then for a function, then for a file; the newest of each first. */
  readonly newest: readonly BehindCommit[];
  /** Files that would be in conflict with the base as it is now. */
  readonly conflicts: readonly string[];
}

export interface BehindCommit {
  readonly commit: string;
  readonly author: string;
  readonly subject: string;
  readonly path: string;
  readonly why: "symbol" | "function" | "file";
  /** The name, or the function by the heading that git shows; null for a file. */
  readonly name: string | null;
}

/** Two worktrees that change the same files. */
export interface Meeting {
  /** Their paths, in order. */
  readonly between: readonly [string, string];
  readonly verdict: Verdict;
  /** Where they meet: the files in conflict, or those in which they are near each other. */
  readonly places: readonly MeetingPlace[];
}

/**
 * Git cannot merge them; it could not be tried; it merges them, but one counts on a name that the other takes away or
 * changes, or both add it; it merges them, but they change the same function or lines close to each other; they change
 * the same files in different places.
 */
type Verdict = "conflict" | "unknown" | "symbol" | "near" | "same-file";

export interface MeetingPlace {
  readonly path: string;
  /** The heading that git shows for the place, such as the first line of a function; null where it knows none. */
  readonly heading: string | null;
  /** What is wrong with a name there; only for symbols. */
  readonly symbol?: SymbolClash;
}

/** A name at the place in which it is newly used. */
export interface SymbolClash extends NamedClash {
  readonly path: string;
}
