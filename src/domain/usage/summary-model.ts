import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { usageGroupings } from "../../contract/words.ts";
import type { Counters, Provenance } from "./model.ts";

export type Grouping = (typeof usageGroupings)[number];

export interface SpanFilter {
  /** From this moment on, and before that one. */
  readonly since: number;
  readonly until: number;
  readonly developerId?: DeveloperId | undefined;
  readonly sessionId?: AgentId | undefined;
  readonly sessionIds?: readonly AgentId[] | undefined;
  readonly taskId?: TaskId | undefined;
  readonly repo?: string | undefined;
  readonly model?: string | undefined;
  readonly provenance?: Provenance | undefined;
  /** Whose use the reader must not see anything of. */
  readonly hidden: readonly DeveloperId[];
}

/** Many spans as one. Money is whole billionths of a dollar. */
export interface Sum {
  readonly spans: number;
  readonly counters: Counters;
  readonly costNanos: bigint;
  /** How many have no cost because nobody knew one. */
  readonly unpriced: number;
  readonly mismatches: number;
}

export interface Group extends Sum {
  /** Null is what is unknown: no model named, no session, no task. */
  readonly key: string | null;
}
