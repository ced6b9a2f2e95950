import type { AgentType } from "../../contract/caller.ts";
import type { DeveloperId } from "../../contract/ids.ts";
import type { grantStatuses, OneOf } from "../../contract/words.ts";

/** A machine that asks for tokens, from its first question until it has them. */
export interface Grant {
  readonly id: string;
  readonly codeHash: string;
  readonly userCodeHash: string;
  readonly machineName: string;
  readonly agents: readonly AgentType[];
  readonly status: OneOf<typeof grantStatuses>;
  /** Who decided about it. */
  readonly developerId: DeveloperId | null;
  readonly expiresAt: number;
  readonly lastPollAt: number | null;
  readonly createdAt: number;
  readonly version: number;
}

export const grantLivesMs = 600_000;

/** How long a machine waits between two polls. */
export const pollEveryMs = 5_000;

/** More machines than these do not wait at one time; strangers could fill the store otherwise. */
export const mostPending = 100;
