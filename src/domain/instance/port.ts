import type { InstanceId } from "../../contract/ids.ts";
import type { LaunchPlan, ProcessReport } from "./launch-model.ts";
import type { Budget, InstanceRun, InstanceType, Used } from "./model.ts";

export type {
  EndInstance,
  LaunchedInstance,
  LaunchInstance,
  LaunchPlan,
  ProcessReport,
  SayToInstance,
} from "./launch-model.ts";
export type { Budget, InstanceType, Used };

/** What instances ask of the world. */
export interface InstancePorts {
  /** The work tree that a folder lies in, as it is now; undefined where git knows of none. */
  readWorkTree(folder: string, signal: AbortSignal): Promise<WorkTree | undefined>;
  /** Chooses a program and a place for a new instance; refuses where no program can be started. Nothing is made yet. */
  planLaunch(ask: LaunchAsk): Promise<LaunchPlan>;
  /** What has become of programs that we started. */
  readProcesses(asks: readonly ProcessAsk[]): Promise<ReadonlyMap<InstanceId, ProcessReport>>;
  /** The end of what a program has put out, of a terminal at least so many lines; empty where there is nothing. */
  readOutput(id: InstanceId, lines?: number): Promise<string>;
  /** Agents that can be asked for by name, in the order in which one is chosen. */
  listPrograms(): readonly AgentProgramInfo[];
  /** How many programs may run at once. */
  readonly mostAtOnce: number;
  /** What each may use unless somebody says otherwise. */
  readonly budget: Budget | null;
  /** Who neither puts anything out nor calls for so long is looked at by a person. */
  readonly quietMs: number;
}

export interface ProcessAsk {
  readonly id: InstanceId;
  readonly program: string;
  readonly path: string;
  readonly mode: InstanceRun["mode"];
}

interface AgentProgramInfo {
  readonly name: string;
  readonly isInstalled: boolean;
}

/** A work tree, as git sees it. Paths are without links. */
export interface WorkTree {
  readonly path: string;
  /** The repository's main folder; of a bare one, itself. */
  readonly repositoryPath: string;
  /** Null where HEAD stands on a commit and on no branch. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  /** What such work is usually merged into: the remote's default branch, else main or master; null if that is unknown. */
  readonly baseBranch: string | null;
  /** Names of files that differ from the commit, staged or not, untracked ones too; the first hundred. */
  readonly uncommitted: readonly string[];
  readonly uncommittedCount: number;
  /** A merge, rebase or the like that was begun and not finished. */
  readonly underWay: string | null;
}

export interface LaunchAsk {
  readonly type: InstanceType;
  /** The program somebody asked for by name. */
  readonly wanted: string | null;
  /** For a review: the program whose work is judged; another one judges it if there is one. */
  readonly author: string | null;
}
