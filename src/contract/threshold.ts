/** A figure that a team may set for itself, and what is in force. */
export interface Threshold {
  /** Where it stands in `config.json`: `overlap.warnFloor` is `{"overlap": {"warnFloor": …}}`. */
  readonly key: ThresholdKey;
  readonly value: number;
  readonly default: number;
  readonly least: number;
  readonly most: number;
  readonly meaning: string;
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
  readonly meaning: string;
}

/** A score of 0.9 is the least that a shared ticket or title gives: beyond it a true duplicate would pass unasked. */
const surestScore = 0.9;

export const thresholdRanges = {
  "overlap.warnFloor": {
    least: 0,
    most: surestScore,
    isWhole: false,
    meaning: "Similar work with at least this score is shown and recorded. This alone never blocks anybody.",
  },
  "overlap.escalateThreshold": {
    least: 0,
    most: surestScore,
    isWhole: false,
    meaning: "From this score on, an agent has to judge similar work before it starts. Raise it to ask less often.",
  },
  "overlap.escalationCap": {
    least: 0,
    most: 1,
    isWhole: false,
    meaning:
      "At most this share of checks asks, identical work aside: where more would, the threshold rises. 1 for no cap.",
  },
  "overlap.maxCandidates": {
    least: 1,
    most: 20,
    isWhole: true,
    meaning: "The most pieces of work that an agent is asked about at once.",
  },
  "overlap.maxMatches": {
    least: 1,
    most: 50,
    isWhole: true,
    meaning: "The most pieces of similar work that one check shows and records.",
  },
  "vault.maxEntries": {
    least: 0,
    most: 1_000_000,
    isWhole: true,
    meaning: "How many copies of removed worktrees are kept. Unmerged work of the last 30 days is always kept.",
  },
} as const satisfies Record<string, Range>;

export type ThresholdKey = keyof typeof thresholdRanges;

/** A figure to set; null for its default. */
export interface ThresholdChange {
  readonly key: ThresholdKey;
  readonly value: number | null;
}

type NameIn<Part extends string, Key> = Key extends `${Part}.${infer Name}` ? Name : never;

/** The figures that work is compared by. */
export type OverlapFigure = NameIn<"overlap", ThresholdKey>;

/** Those of them that an installation sets for itself. */
export type AskedOverlap = Readonly<Partial<Record<OverlapFigure, number | undefined>>>;

export const defaultVaultEntries = 200;
