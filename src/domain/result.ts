import type { receiptLevels } from "../contract/words.ts";

/** How much of a result is more than the agent's word. */
export type ReceiptLevel = (typeof receiptLevels)[number];

/** What lists show of a result: how far it can be trusted, and what went wrong. */
export interface ResultGlance {
  readonly level: ReceiptLevel;
  /** Changed files outside the announced areas. */
  readonly outOfScope: number;
  /** Checks of the repository that did not pass. */
  readonly failedChecks: number;
}
