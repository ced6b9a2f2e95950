import { shippedWeights } from "./weights.ts";

/** Every figure that decides what is shown and what is asked about. */
export interface OverlapSettings {
  /** From this score on a match is recorded and disclosed; it never blocks. */
  readonly warnFloor: number;
  /** From this score on a match is put to the agent for a verdict: the one that alarms on a tenth of clean checks. */
  readonly escalateThreshold: number;
  /**
   * At most this share of checks asks for a verdict, identical work aside: where more would, the threshold rises. 1 is
   * no cap, and the default: where much work really is done twice, a cap would let some of it pass unasked.
   */
  readonly escalationCap: number;
  /** Candidates that a check asks a verdict about, at most. */
  readonly maxCandidates: number;
  /** Matches that a check discloses, at most. */
  readonly maxMatches: number;
}

export const defaultSettings: OverlapSettings = {
  warnFloor: 0.03,
  escalateThreshold: shippedWeights.escalateThreshold,
  escalationCap: 1,
  maxCandidates: 5,
  maxMatches: 10,
};
