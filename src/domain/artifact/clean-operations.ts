import type { IndexedTree, IndexParts } from "../codeindex/model.ts";
import type { Look } from "../port.ts";
import { findRepositoryByPath } from "../project/queries.ts";
import { artifactEvent } from "./events.ts";
import { chooseRemovals, type GcLimits, type KeptIndex } from "./gc-rules.ts";

export interface SeenIndex extends KeptIndex {
  /** Where its repository is; null where nobody registered it and it is not the caller's to know. */
  readonly repo: string | null;
  readonly folder: string;
  readonly parts: IndexParts;
}

type Seeing = Pick<Look, "ports" | "read" | "signal" | "now" | "record">;

/** The indexes there are, as whoever works in one repository may know them. */
export async function listSeenIndexes(look: Seeing, repository: IndexedTree): Promise<SeenIndex[]> {
  const seen: SeenIndex[] = [];
  for (const index of await look.ports.codeindex.listIndexes()) {
    const isOwn = index.main === repository.main;
    const isGone = !(await look.ports.artifact.isFolderThere(index.main));
    const isKnown = isOwn || (await isRegistered(look, index));
    const { id, bytes, builtAt, main, folder, parts } = index;
    seen.push({ id, bytes, builtAt, isOwn, isGone, folder, parts, repo: isKnown ? main : null });
  }
  return seen;
}

const isRegistered = (look: Pick<Look, "read">, { main }: { readonly main: string }): Promise<boolean> =>
  look.read(async (db) => (await findRepositoryByPath(db, main)) !== undefined);

interface Removed {
  readonly id: string;
  readonly repo: string | null;
  readonly bytes: number;
  readonly reason: string;
  /** Copies elsewhere that go with it; none where its repository is not the caller's to know. */
  readonly copies: readonly string[];
}

export interface Cleaned {
  readonly indexes: readonly SeenIndex[];
  /** What goes, or would go. */
  readonly removals: readonly Removed[];
  readonly failed: readonly Removed[];
}

/** Removes what is over its limits (AR4), or says what would be removed. */
export async function collectGarbage(
  look: Seeing,
  repository: IndexedTree,
  { limits, isDry }: { readonly limits: GcLimits; readonly isDry: boolean },
): Promise<Cleaned> {
  const indexes = await listSeenIndexes(look, repository);
  const chosen = chooseRemovals(indexes, limits, look.now).map(({ index, reason }) => ({ ...index, reason }));
  return removeAll(look, indexes, { chosen, isDry });
}

/** Removes the index of a repository, or every index (AR5). */
export async function cleanIndexes(
  look: Seeing,
  repository: IndexedTree,
  { isAll, isDry }: { readonly isAll: boolean; readonly isDry: boolean },
): Promise<Cleaned> {
  const indexes = await listSeenIndexes(look, repository);
  const chosen = indexes.filter(({ isOwn }) => isAll || isOwn).map((index) => ({ ...index, reason: "asked" }));
  return removeAll(look, indexes, { chosen, isDry });
}

async function removeAll(
  look: Seeing,
  indexes: readonly SeenIndex[],
  { chosen, isDry }: { readonly chosen: readonly (SeenIndex & { reason: string })[]; readonly isDry: boolean },
): Promise<Cleaned> {
  const removals: Removed[] = [];
  const failed: Removed[] = [];
  const { artifact } = look.ports;
  for (const { id, repo, folder, reason, ...index } of chosen) {
    look.signal.throwIfAborted();
    const elsewhere = (await artifact.listCopies(folder)).filter(({ isElsewhere }) => isElsewhere);
    const bytes = elsewhere.reduce((sum, copy) => sum + copy.bytes, index.bytes);
    const copies = repo === null ? [] : elsewhere.map(({ path }) => path);
    const isDone = isDry || (await tryTo(() => look.ports.codeindex.removeIndex(id, look.signal)));
    // At once: a call that is cancelled before the next one has ended has removed this one all the same (AR8).
    if (isDone && !isDry) look.record(artifactEvent.removed(id, { bytes, reason }));
    if (isDone && !isDry) for (const { path } of elsewhere) await artifact.removeCopy(path);
    (isDone ? removals : failed).push({ id, repo, bytes, reason, copies });
  }
  return { indexes, removals, failed };
}

const tryTo = (act: () => Promise<void>): Promise<boolean> =>
  act().then(
    () => true,
    () => false,
  );
