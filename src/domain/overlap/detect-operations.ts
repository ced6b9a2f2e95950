import { listChangedSubjects } from "../ledger/change-queries.ts";
import { hasEnded } from "../lifecycle.ts";
import type { Work } from "../work.ts";
import { readDocs } from "./doc-operations.ts";
import type { OverlapMatch, OverlapQuery } from "./engine/doc.ts";
import { isDifferent } from "./engine/features.ts";
import { findPatterned, holdBack } from "./engine/series.ts";
import { areOpposedActions } from "./engine/suppression.ts";
import { type Candidate, titleKey } from "./model.ts";
import type { LikeWork } from "./port.ts";
import { isComparable, type WorkDoc } from "./work-doc.ts";

/** Other work that is like this one. */
export interface Found {
  readonly doc: WorkDoc;
  readonly match: OverlapMatch;
  readonly sharedFiles: readonly string[];
  /** One takes away, or only looks at, what the other works on. */
  readonly isActionDivergent: boolean;
  readonly isSameDeveloper: boolean;
}

export interface Detection {
  /** What is worth showing, most alike first. */
  readonly matches: readonly Found[];
  /** All of it that somebody must judge before the work begins. */
  readonly escalated: readonly Found[];
  /**
   * The best others below the warn floor (GA39). An agent tells the same work in other words better than any score, so
   * it is shown them; nothing else is made of them.
   */
  readonly nearest: readonly Found[];
}

/** Matches and nearest together, unless there is so little open work that all of it is listed. */
const mostShown = 5;
/** Up to so many open pieces of work of a repository a check lists them all (GA40). */
export const mostAround = 12;

/**
 * Finds what is like this among all work that is committed by now (GA29). Memory says where to look; the rows are read
 * here, in the transaction that decides, so that nothing that began a moment ago is overlooked.
 */
export async function detectOverlap(
  work: Work,
  query: OverlapQuery,
  like: LikeWork,
  skippedId: string | null,
): Promise<Detection> {
  const ids = new Set([...like.ids, ...(like.around ?? []), ...(await listChangedSubjects(work.db, like.asOf))]);
  const { warnFloor, maxMatches } = like.settings;
  const docs = (await readDocs(work.db, [...ids])).filter(
    (doc) => doc.id !== skippedId && isComparable(doc, work.now) && !isContainerOf(query, doc),
  );
  const all = describeFound(query, docs, like);
  const alike = all.filter(({ match }) => match.score >= warnFloor);
  const patterned = findPatterned(alike, { titleOf: ({ doc }) => titleKey(doc.title), matchOf: ({ match }) => match });
  const found = alike.map((one) => (patterned.has(one) ? { ...one, match: holdBack(one.match) } : one));
  const matches = found.slice(0, maxMatches);
  return {
    matches,
    escalated: found.filter(({ match }) => match.escalates),
    nearest: chooseNearest(all.slice(alike.length), {
      room: mostShown - matches.length,
      around: listAround(query, all, like),
    }),
  };
}

/** Open work of the repository where it is little. Memory need not know yet how much has begun a moment ago. */
function listAround({ repo }: OverlapQuery, all: readonly Found[], { around }: LikeWork): ReadonlySet<Found> {
  if (around === null) return new Set();
  const open = all.filter(({ doc }) => !hasEnded(doc.lifecycle) && !isDifferent(repo, doc.repo));
  return new Set(open.length > mostAround ? [] : open);
}

/**
 * The best of those below the floor as far as there is room, and all open work of the repository where it is little. What
 * was looked at only because it has just changed counts no more than what memory would not have found.
 */
const chooseNearest = (
  below: readonly Found[],
  { room, around }: { readonly room: number; readonly around: ReadonlySet<Found> },
): Found[] => below.filter((found, place) => (place < room && sharesAnything(found)) || around.has(found));

const sharesAnything = ({ match: { features } }: Found): boolean =>
  (features["sharedWeight"] ?? 0) > 0 || (features["filesCosine"] ?? 0) > 0;

const byLikeness = (one: Found, other: Found): number =>
  other.match.score - one.match.score || (one.doc.id < other.doc.id ? -1 : 1);

/** A developer's own workstream is where their tasks belong, and the other way round: no duplicate of them. */
const isContainerOf = (query: OverlapQuery, doc: WorkDoc): boolean =>
  doc.kind !== query.kind && doc.developerId === query.developerId;

/** Other work beside what is asked about, most alike first. */
export function describeFound(query: OverlapQuery, docs: readonly WorkDoc[], like: LikeWork): Found[] {
  const mine = new Set(query.files);
  return like
    .compare(query, docs)
    .map(({ doc, match }) => ({
      doc,
      match,
      sharedFiles: doc.files.filter((file) => mine.has(file)),
      isActionDivergent: areOpposedActions(query.action, doc.action),
      isSameDeveloper: doc.developerId === query.developerId,
    }))
    .sort(byLikeness);
}

/** What is kept of a match. */
export const candidateOf = ({ doc, match, sharedFiles }: Found): Candidate => ({
  id: doc.id,
  kind: doc.kind,
  title: doc.title,
  developerId: doc.developerId,
  status: doc.lifecycle,
  score: match.score,
  reasons: [...match.reasons],
  features: { ...match.features },
  sharedFiles: [...sharedFiles],
  suppressedBy: match.suppressedBy,
});
