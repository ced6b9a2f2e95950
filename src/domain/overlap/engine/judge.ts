import type { OverlapMatch, Tier } from "./doc.ts";
import { type Comparison, compareSides, type Side, type WeighedSide } from "./features.ts";
import { explain } from "./reasons.ts";
import type { OverlapSettings } from "./settings.ts";
import { isSameWork } from "./siblings.ts";
import { findSuppression, isClosed } from "./suppression.ts";
import { scoreFeatures, type Weights } from "./weights.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

/** What is judged by. */
interface Bench {
  readonly vocabulary: WorkVocabulary;
  readonly weights: Weights;
  readonly settings: OverlapSettings;
}

interface Existing extends Side {
  readonly id: string;
  readonly status: string;
}

/** Compares work that is about to begin with work that exists, and says what follows from it and why. */
export function judge(
  query: WeighedSide,
  other: Existing,
  spell: (term: string) => string,
  { vocabulary, weights, settings }: Bench,
): OverlapMatch {
  const { features, alikeness, isSameTicket, score } = rate(query, other, { vocabulary, weights });
  const isIdentical = features.identicalTitle === 1 || isSameTicket;
  const held = findSuppression({ query, other, status: other.status, alikeness, isIdentical }, vocabulary);
  const isStrong = score >= settings.escalateThreshold;
  return {
    id: other.id,
    score,
    tier: chooseTier({ isIdentical, isStrong: isStrong && held === null, score, settings }),
    escalates: isStrong && held === null,
    suppressedBy: held?.by ?? null,
    reasons: explain(
      {
        features,
        isSameTicket,
        held: isStrong ? held : null,
        query: query.prepared,
        other: other.prepared,
        ended: isClosed(other.status) ? describeEnd(other.status, features.daysBetween) : null,
        spell,
      },
      vocabulary,
    ),
    features,
  };
}

/** How alike two pieces of work are, and nothing of what follows from it. */
export function rate(
  query: WeighedSide,
  other: Side,
  { vocabulary, weights }: Omit<Bench, "settings">,
): Comparison & { readonly isSameTicket: boolean; readonly score: number } {
  const comparison = compareSides(query, other, vocabulary);
  const isSameTicket = isAboutSameTicket(query, other, comparison, vocabulary);
  return { ...comparison, isSameTicket, score: scoreFeatures(comparison.features, weights, isSameTicket) };
}

/** The same tickets and the same kind of work, and titles that have more in common than the ticket. */
function isAboutSameTicket(query: Side, other: Side, { features }: Comparison, vocabulary: WorkVocabulary): boolean {
  if (!features.sameReference || features.titleCosine < leastOfSameTicket) return false;
  const { action } = query.facts;
  if (action !== null && other.facts.action !== null) return action === other.facts.action;
  return isSameWork(query.prepared, other.prepared, vocabulary);
}

/** One pull request may have many findings, each a piece of work that names it. */
const leastOfSameTicket = 0.6;

function chooseTier(about: {
  isIdentical: boolean;
  isStrong: boolean;
  score: number;
  settings: OverlapSettings;
}): Tier {
  if (about.isIdentical) return "identical";
  if (about.isStrong) return "escalate";
  return about.score < about.settings.warnFloor ? "context" : "shortlist";
}

const describeEnd = (status: string, days: number): string =>
  days === 0 ? `${status} today` : `${status} ${days} ${days === 1 ? "day" : "days"} ago`;
