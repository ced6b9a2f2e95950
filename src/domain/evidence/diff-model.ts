/** What lies at a path. */
type Thing = "file" | "executable" | "link" | "submodule";

/** One line of a change, without its line end. */
export interface DiffLine {
  readonly kind: "same" | "deleted" | "added";
  /** Its number before and after, from 1; null where it is not there. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
  /** How it ends where that is not with a line feed alone. */
  readonly end?: "crlf" | "none";
  /** Characters left out at its end. */
  readonly cut?: number;
}

export interface Hunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  readonly lines: readonly DiffLine[];
}

/** What is different between two texts. */
export interface TextDiff {
  readonly addedLines: number;
  readonly deletedLines: number;
  /** Set where every line end changed; the lines are then compared without them. */
  readonly lineEnds: "lf_to_crlf" | "crlf_to_lf" | null;
  /** Some bytes are no UTF-8 and are shown as replacement characters. */
  readonly isLossy: boolean;
  readonly hunks: readonly Hunk[];
  /** Lines of hunks that the limits left out. */
  readonly leftOutLines: number;
}

export const diffStates = ["shown", "binary", "too_large", "gone"] as const;

/** One changed file of a receipt. */
export interface FileDiff extends TextDiff {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  readonly state: (typeof diffStates)[number];
  /** Which contents no longer exist anywhere. */
  readonly missing: readonly ("before" | "after")[];
  readonly before: Thing | null;
  readonly after: Thing | null;
  /** Outside of the areas that the task announced. */
  readonly isUnexpected: boolean;
  /** Something else now than when the task ended. */
  readonly isStale: boolean;
}
