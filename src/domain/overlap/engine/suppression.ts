import type { Alikeness } from "./alikeness.ts";
import type { Suppression } from "./doc.ts";
import { isDifferent, type Side } from "./features.ts";
import { findDifference } from "./siblings.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

/** What keeps a match from escalating. It is shown all the same, with the score it has. */
export interface Held {
  readonly by: Suppression;
  /** For our own words about it. */
  readonly words?: readonly [string, string];
}

interface Circumstances {
  readonly query: Side;
  readonly other: Side;
  readonly status: string;
  readonly alikeness: Alikeness;
  /** Same title or same ticket: no likeness of pattern can be meant then. */
  readonly isIdentical: boolean;
}

/** The contract's reasons first, then our own; the first that holds. */
export function findSuppression(case_: Circumstances, vocabulary: WorkVocabulary): Held | null {
  const [mine, theirs] = [case_.query.facts, case_.other.facts];
  if (closedStatuses.has(case_.status)) return { by: "closed" };
  if (mine.sessionId !== null && mine.sessionId === theirs.sessionId) return { by: "same_session" };
  if (areOpposedActions(mine.action, theirs.action)) return { by: "opposed_action" };
  if (isDifferent(mine.component, theirs.component)) return { by: "different_component" };
  if (isLowInformation(case_)) return { by: "low_information" };
  if (case_.isIdentical) return null;
  return findDifference(case_.query.prepared, case_.other.prepared, vocabulary) ?? null;
}

const closedStatuses = new Set(["done", "completed", "cancelled", "canceled", "failed", "skipped", "superseded"]);

export const isClosed = (status: string): boolean => closedStatuses.has(status);

/** To remove a thing is no duplicate of working on it, and to look at it is none of either. */
export function areOpposedActions(one: string | null, other: string | null): boolean {
  if (!isDifferent(one, other)) return false;
  const both = [one, other].map((action) => (action ?? "").trim().toLowerCase());
  return (
    both.every((action) => actions.has(action)) && both.some((action) => action === "remove" || action === "audit")
  );
}

const actions = new Set(["create", "modify", "remove", "fix", "audit"]);

const leastTelling = 3;
/** Who has written the very same title has said more by it than its few words. */
const leastTellingOfSame = 2;

/**
 * Too few words to know what is meant, on either side. What they go on to say in common in their descriptions makes up
 * for it.
 */
function isLowInformation({ query, other, alikeness, isIdentical }: Circumstances): boolean {
  const least = isIdentical ? leastTellingOfSame : leastTelling;
  if (Math.min(query.prepared.telling, other.prepared.telling) >= least) return false;
  return alikeness.sharedTelling < leastTelling;
}
