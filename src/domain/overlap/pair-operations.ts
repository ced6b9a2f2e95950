import { listChangedSubjects } from "../ledger/change-queries.ts";
import type { Look } from "../port.ts";
import { readDocs } from "./doc-operations.ts";
import type { WorkDoc } from "./work-doc.ts";

/** Two pieces of work that are probably the same. */
export interface LikePair {
  readonly one: WorkDoc;
  readonly other: WorkDoc;
  readonly score: number;
  readonly reasons: readonly string[];
}

/**
 * Work that is probably done twice, looked for from each of these: one search in memory for each, never all against
 * all. `counts` says what else may be half of a pair.
 */
export async function findLikePairs(
  look: Look,
  ids: readonly string[],
  counts: (doc: WorkDoc) => boolean,
): Promise<LikePair[]> {
  const pairs = new Map<string, LikePair>();
  for (const one of await look.read((db) => readDocs(db, ids))) {
    look.signal.throwIfAborted();
    const like = await look.ports.overlap.findLikeWork(one, look.signal);
    const others = await look.read(async (db) => {
      // Memory may not have heard yet of what began a moment ago, on another node least of all.
      const fresh = await listChangedSubjects(db, like.asOf);
      return readDocs(db, [...new Set([...like.ids.slice(0, mostLookedAt), ...fresh])]);
    });
    const possible = others.filter((other) => !pairs.has(keyOf(one, other)) && counts(other) && areApart(one, other));
    // That one side is finished keeps nobody from a start, but it is what this looks for.
    const open = possible.map((other) => ({ ...other, status: "active" }));
    like.compare(one, open).forEach(({ match: { escalates, score, reasons } }, at) => {
      const other = possible[at];
      if (escalates && other) pairs.set(keyOf(one, other), { one, other, score, reasons });
    });
  }
  return [...pairs.values()];
}

/** Beyond the most alike nothing is the same work. */
const mostLookedAt = 20;

/** A workstream is where its developer's tasks belong, and no duplicate of them. */
const areApart = (one: WorkDoc, other: WorkDoc): boolean =>
  one.id !== other.id && (one.kind === other.kind || one.developerId !== other.developerId);

const keyOf = (one: WorkDoc, other: WorkDoc): string => [one.id, other.id].sort().join(" ");
