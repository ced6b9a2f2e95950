import type { TaskId } from "../../contract/ids.ts";
import type { OneOf, outcomeGroupings, receiptLevels } from "../../contract/words.ts";
import type { Lifecycle } from "../lifecycle.ts";

export type OutcomeGrouping = OneOf<typeof outcomeGroupings>;

/** What was used for one task by one agent with one model in one week. Money is whole billionths of a dollar. */
export interface Spent {
  readonly taskId: TaskId | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly week: string;
  readonly reports: number;
  readonly priced: number;
  readonly tokens: bigint;
  readonly costNanos: bigint;
}

/** What became of a task. */
export interface TaskEnd {
  readonly id: TaskId;
  readonly status: Lifecycle;
  readonly level: OneOf<typeof receiptLevels> | null;
  readonly endedAt: number | null;
}

/** What was spent, and what came of it. */
export interface Outcome {
  /** Null is what nobody said: no model, no agent, no task. */
  readonly key: string | null;
  readonly reports: number;
  readonly unpriced: number;
  /** Reports with a price that name no task: nobody can tell what came of them. */
  readonly withoutTask: number;
  readonly tokens: bigint;
  readonly costNanos: bigint;
  /** Results whose checks were run again and passed, with and without a report of what they used. */
  readonly reproduced: number;
  readonly withoutUsage: number;
  readonly reproducedTokens: bigint;
  readonly reproducedNanos: bigint;
  /** For tasks that were cancelled or failed, and by agents whose work was abandoned. */
  readonly wastedTokens: bigint;
  readonly wastedNanos: bigint;
}
