import type { AgentId, DeveloperId } from "../../contract/ids.ts";

/** A short note for an agent about what a person or a teammate decided; the next answer it gets carries it (NC1). */
export interface Notice {
  readonly id: string;
  readonly developerId: DeveloperId;
  /** Null for whichever of the developer's agents comes next. */
  readonly agentId: AgentId | null;
  /** The record it is about. */
  readonly about: string;
  readonly text: string;
  readonly createdAt: number;
}

/** What nobody came for in a day is in the mailbox and the ledger, and no news any more. */
export const noticeLivesMs = 24 * 3_600_000;

/** An answer carries at most so many; the rest come with the next. */
export const mostNoticesAtOnce = 5;

/** Of these so many are about collisions: an agent in everybody's way is told of the oldest first. */
export const mostCollisionsAtOnce = 3;
