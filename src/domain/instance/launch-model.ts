import type { InstanceId, TokenId, WorktreeId } from "../../contract/ids.ts";
import type { Budget, InstanceRun, InstanceType, Used } from "./model.ts";

export interface LaunchPlan {
  readonly id: InstanceId;
  /** What its token is made of; known to this machine alone, and made again from the id. */
  readonly secret: Uint8Array;
  /** Where its folder will be. */
  readonly path: string;
  readonly program: string;
  readonly mode: InstanceRun["mode"];
  /** Whether what it uses is known while it runs. */
  readonly isCounted: boolean;
}

/** What a hand is told to start. No secret is in it: it is kept in the store until it is done. */
export interface LaunchInstance {
  readonly instanceId: InstanceId;
  readonly tokenId: TokenId;
  readonly parentId: InstanceId | null;
  readonly type: InstanceType;
  readonly program: string;
  readonly mode: InstanceRun["mode"];
  readonly turn: number;
  readonly prompt: string;
  readonly budget?: Budget | null;
  /** Null where the folder is there already. */
  readonly worktree: LaunchGround | null;
  readonly path: string;
}

export interface LaunchedInstance {
  readonly made: LaunchFolder | null;
  readonly startedAt: number;
}

/** What a running program is told. */
export interface SayToInstance {
  readonly instanceId: InstanceId;
  readonly text: string;
}

export interface EndInstance {
  readonly instanceId: InstanceId;
  /** How long it may take to end by itself before it is asked to. */
  readonly graceMs: number;
}

/** A program that has ended says how; null where nobody saw it. */
export type ProcessReport =
  | {
      readonly state: "running";
      /** Since when it has put out nothing. */
      readonly quietSince?: number;
      /** It shows a question that only a person answers. */
      readonly asks?: boolean;
      /** Whether anything says what it uses. */
      readonly isCounted?: boolean;
      readonly used?: Used;
    }
  | { readonly state: "ended"; readonly exitCode: number | null; readonly at: number; readonly used?: Used };

/** The folder that is made for it, and where its branch begins. */
interface LaunchGround {
  readonly worktreeId: WorktreeId;
  readonly repositoryPath: string;
  readonly path: string;
  readonly branch: string;
  readonly baseBranch: string | null;
  readonly commit: string;
}

/** What was made of it. */
interface LaunchFolder {
  readonly repositoryPath: string;
  readonly path: string;
  readonly head: string;
  readonly behind: number | null;
  readonly skippedFilters: readonly string[];
}
