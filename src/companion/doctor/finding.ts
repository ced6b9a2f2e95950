import type { companionChecks, companionStates, OneOf } from "../../contract/words.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do about it. */
  readonly fix: string | null;
  /** What the server may know of it: a word and a number, while the detail can hold paths and what programs print. */
  readonly fact?: Fact;
}

export interface Fact {
  readonly check: OneOf<typeof companionChecks>;
  readonly state: OneOf<typeof companionStates>;
  /** How many lines wait, or by how many seconds the clock is off. */
  readonly count?: number;
}

export const ok = (check: string, detail: string, fact?: Fact): Finding => ({
  check,
  status: "ok",
  detail,
  fix: null,
  ...(fact === undefined ? {} : { fact }),
});

export const warning = (check: string, detail: string, fix: string, fact?: Fact): Finding => ({
  ...ok(check, detail, fact),
  status: "warning",
  fix,
});

export const failed = (check: string, detail: string, fix: string, fact?: Fact): Finding => ({
  ...warning(check, detail, fix, fact),
  status: "failed",
});
