import type { FolderChanges, FolderSnapshot } from "../../domain/evidence/port.ts";
import type { RawName } from "../git/names.ts";
import { DiskReader, gitHash, type Identity, type Seen } from "./disk-reader.ts";
import { nameOfText } from "./file-names.ts";
import { findBase, listAncestors, listMoves, readEntries } from "./git-commits.ts";
import { readBranch, readRefs } from "./git-refs.ts";
import { findCommitIn, type LookedAt } from "./git-repository.ts";
import { readStatus } from "./git-status.ts";
import { readOthers } from "./others.ts";
import { changesBetween, digestOf, filesOf } from "./trees.ts";

export async function snapshotGit(repository: LookedAt, signal: AbortSignal): Promise<FolderSnapshot> {
  const { head, changed, unsure } = await readStatus(repository);
  const seen = await readerOf(repository, signal).readAll([...changed.keys(), ...unsure], () => undefined);
  const ancestors = await listAncestors(repository, head);
  const branch = await readBranch(repository);
  const refs = Object.fromEntries(await readRefs(repository, mostRefs));
  const { root } = repository;
  return { type: "git", id: head ?? "unborn", root, head, ...filesOf(seen), ancestors, branch, refs };
}

/** So many branches are remembered with a start. */
const mostRefs = 500;

/**
 * What changed since a snapshot (EV1). The candidates are everything committed since, staged, unstaged or untracked; of
 * these only what really differs from how it was at the start counts, so what was dirty before and is untouched does
 * not, and neither does what was changed and changed back. Where commits of others came in, what counts is the
 * difference from how the start would be with them (EV20). Git knows the content of what is clean; only the rest is
 * read, once, and of that only what bears another stamp than at the start.
 */
export async function compareGit(
  repository: LookedAt,
  snapshot: FolderSnapshot,
  signal: AbortSignal,
): Promise<FolderChanges> {
  const { head, changed, unsure } = await readStatus(repository);
  const base = await findBase(repository, snapshot, head);
  const moves = await listMoves(repository, base.commit, head);
  const start = { commit: base.commit, branch: snapshot.branch ?? null, refs: snapshot.refs ?? {} };
  const others = await readOthers(repository, start, head);
  const known = seenIn(snapshot);
  const toRead = new Set([...changed.keys(), ...unsure, ...known.keys()]);
  const seen = await readerOf(repository, signal).readAll([...toRead], (name) => known.get(name));
  const brought = others.changes.flatMap(({ moves }) => [...moves.keys()]);
  const unread = [...new Set([...[...unsure].filter((name) => !known.has(name)), ...brought])];
  const committed = await readEntries(
    repository,
    head,
    unread.filter((name) => !moves.has(name)),
  );
  const atStart = (name: RawName): Identity => {
    const [first] = [known.get(name)?.identity, moves.get(name)?.before, changed.get(name), committed.get(name)].filter(
      (identity) => identity !== undefined,
    );
    return first ?? null;
  };
  const after = (name: RawName): Identity => {
    const found = seen.get(name);
    return found ? found.identity : (moves.get(name)?.after ?? committed.get(name) ?? null);
  };
  const isClean = (name: RawName): boolean => !toRead.has(name);
  const { before, replaced } = await others.foresee({ atStart, after, isClean });
  const dirty = new Map([...changed.keys(), ...unsure].map((name) => [name, seen.get(name) ?? { identity: null }]));
  return {
    ...changesBetween([...new Set([...moves.keys(), ...toRead, ...brought])], before, after),
    ...(replaced.size > 0 && { before: filesOf(replaced).files }),
    warnings: [...(base.warning === undefined ? [] : [base.warning]), ...others.warnings],
    isComplete: base.warning === undefined && others.isComplete,
    start: { head: snapshot.head, digest: digestOf(snapshot.files) },
    end: { head, digest: digestOf(filesOf(dirty).files) },
  };
}

const seenIn = ({ files, stamps }: FolderSnapshot): Map<RawName, Seen> =>
  new Map(
    Object.entries(files).map(([text, identity]) => [nameOfText(text), { identity, stamp: stamps?.[text] }] as const),
  );

export const readerOf = ({ root, algorithm }: LookedAt, signal: AbortSignal): DiskReader =>
  new DiskReader(root, {
    signal,
    startHash: gitHash(algorithm),
    findCommit: (folder) => findCommitIn(folder, signal),
  });
