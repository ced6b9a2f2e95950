import type { CheckResult } from "../evidence/check-model.ts";
import type { Receipt } from "../evidence/model.ts";
import type { Note } from "../note/model.ts";
import type { Share, Task } from "../task/model.ts";
import type { Brief, Phase } from "../workflow/brief-model.ts";
import type { Workflow } from "../workflow/model.ts";

/** Everything that may go into a context pack: nothing of a plan that was given up, nothing cancelled (CX6). */
export interface TaskContext {
  readonly workflow: Workflow | null;
  readonly task: Task;
  /** The newest notes, oldest first. */
  readonly notes: readonly Note[];
  readonly noteCount: number;
  readonly decisionCount: number;
  /** Errors that no recovery followed, and the last decisions; oldest first. */
  readonly highlights: readonly Note[];
  /** Those of the receipt, then those that notes name, last changed first. */
  readonly files: readonly string[];
  readonly fileCount: number;
  readonly prior: Share;
  readonly siblings: Share;
  readonly dependencies: Share;
  /** Where the mission stands, for a task that was started in one. */
  readonly mission: TaskMission | undefined;
}

/** Where a mission stands: what whoever goes on with it has to know first. */
export interface MissionState {
  readonly brief: Brief;
  /** The one that is current; null before the first task. */
  readonly phase: Phase | null;
  /** Issues that wait for a person, newest first. */
  readonly blockers: readonly Note[];
  readonly failing: readonly FailingCheck[];
}

/** A check that did not pass when it was last run, and the task it was run for. */
export interface FailingCheck {
  readonly taskName: string;
  readonly result: CheckResult;
}

/** The same seen from one of its tasks. */
export interface TaskMission extends MissionState {
  readonly receipt: Receipt | null;
}

/** What of a task's context is asked for. */
export interface Wanted {
  readonly workflowPlan: boolean;
  readonly workflowSource: boolean;
  readonly prior: boolean;
  /** All of the prior tasks, not just in short. */
  readonly priorInFull: boolean;
  readonly siblings: boolean;
  readonly dependencies: boolean;
  /** Old notes too, as lines. */
  readonly allNotes: boolean;
  /** So many of the newest in full. */
  readonly recentNotes: number;
}

export type PackPart =
  | "taskName"
  | "plan"
  | "error"
  | "notes"
  | "highlights"
  | "failingChecks"
  | "blockers"
  | "missionState"
  | "objective"
  | "files"
  | "description"
  | "outcome"
  | "dependencies"
  | "workflowName"
  | "workflowPlan"
  | "workflowSource"
  | "context"
  | "siblings"
  | "prior";

export type PackLine = Record<string, unknown>;

/** How a family writes the parts of a pack; what is cut, left out or comes first is not its business. */
export interface PackVoice {
  /** What each part is called when some of it is missing. */
  readonly sections: Readonly<Record<PackPart, string>>;
  /** In full, and with less. */
  note(note: Note): { readonly full: PackLine; readonly brief: PackLine };
  noteLine(note: Note, summary: string): PackLine;
  dependency(task: Task, outcome: string): PackLine;
  sibling(task: Task): { readonly full: PackLine; readonly brief: PackLine };
  prior(task: Task, outcome: string): PackLine;
  priorInFull(task: Task): PackLine;
  failingCheck(check: FailingCheck, lastLines: string): PackLine;
  blocker(note: Note, description: string): PackLine;
  missionState(mission: TaskMission): PackLine;
}

/** How much of a section is not in the pack. */
export interface Omission {
  readonly section: string;
  /** Pieces left out whole. */
  readonly omitted?: number;
  /** Pieces that were cut, and the characters they lost by it. */
  readonly shortened?: number;
  readonly characters?: number;
}

/** The pack of a task as it was decided, for whoever makes an answer of it. */
export interface PackedTask {
  /** In the order in which lists have them. */
  readonly chosen: readonly { readonly part: PackPart; readonly value: unknown }[];
  readonly omitted: readonly Omission[];
  /** So small that lists with nothing in them should go too. */
  readonly isTight: boolean;
  readonly tokens: number;
}

/** The smallest budget that always holds what an answer cannot be without. */
export const leastBudget = 160;
