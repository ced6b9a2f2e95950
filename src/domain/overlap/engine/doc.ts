/** A piece of work as the engine sees it. Whatever is not known is null; nothing is needed but a title. */
export interface OverlapDoc extends OverlapQuery {
  readonly id: string;
  /** A word of the family that made it; `done`, `cancelled` and their like are closed (OV14). */
  readonly status: string;
}

/** Work that somebody is about to begin. `at` is the present for it, and the last change for work that exists. */
export interface OverlapQuery {
  readonly kind: "task" | "workstream";
  readonly title: string;
  readonly scope: string | null;
  readonly description: string | null;
  /** What came out of it, for work that is done. */
  readonly result: string | null;
  readonly action: string | null;
  readonly component: string | null;
  readonly repo: string | null;
  readonly files: readonly string[];
  readonly developerId: string | null;
  readonly sessionId: string | null;
  readonly at: number;
}

/**
 * How strong a match is, strongest first: the same title or reference; likely enough to be judged; worth recording; only
 * the nearest there is.
 */
export type Tier = "identical" | "escalate" | "shortlist" | "context";

/** Why a match that scores high enough does not escalate. The first five are the contract's, the others are our own. */
export type Suppression =
  | "closed"
  | "same_session"
  | "opposed_action"
  | "different_component"
  | "low_information"
  | "different_numbers"
  | "opposed_words"
  | "different_work"
  | "template_sibling";

export interface OverlapMatch {
  readonly id: string;
  /** How likely it is the same work, 0 to 1. */
  readonly score: number;
  readonly tier: Tier;
  readonly escalates: boolean;
  readonly suppressedBy: Suppression | null;
  /** At most three, in plain words, weightiest first. */
  readonly reasons: readonly string[];
  /** What the score was computed from, for whoever audits a verdict later. */
  readonly features: Readonly<Record<string, number>>;
}
