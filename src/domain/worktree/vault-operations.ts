import type { VaultId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { defineErrand } from "../errand.ts";
import type { Look } from "../port.ts";
import { normaliseRepositoryPath } from "../project/operations.ts";
import type { SystemWork, Work } from "../work.ts";
import { vaultEvent } from "./events.ts";
import type { Worktree } from "./model.ts";
import type { DropCopy, Ground, RestoredWorktree, RestoreWorktree, StoredWorktree } from "./port.ts";
import type { VaultEntry } from "./vault-model.ts";
import { checkRestorable, chooseDrops, maySee } from "./vault-rules.ts";
import { type CopyFilter, getCopy, insertCopy, listCopies, saveCopy } from "./vault-store.ts";

/** Notes what a hidden ref of the repository now keeps. */
export async function recordCopy(work: SystemWork, worktree: Worktree, stored: StoredWorktree): Promise<VaultEntry> {
  const entry: VaultEntry = {
    ...stored,
    id: work.newId("vault"),
    worktreeId: worktree.id,
    developerId: worktree.developerId,
    place: worktree.place ?? work.place,
    path: worktree.path,
    createdAt: work.now,
    restoredAt: null,
    restoredTo: null,
    droppedAt: null,
    problem: null,
    version: 1,
  };
  await insertCopy(work.db, entry);
  const { staged, unstaged, untracked } = stored.counts;
  work.record(vaultEvent.stored(entry.id, { worktree_id: worktree.id, staged, unstaged, untracked }));
  return entry;
}

/** What the caller may see, newest first. */
export async function listOwnCopies(
  work: Work,
  ask: Pick<CopyFilter, "includesDropped" | "limit">,
): Promise<VaultEntry[]> {
  const { role, developerId } = work.caller;
  return listCopies(work.db, { ...ask, developerId: role === "owner" ? undefined : developerId });
}

export async function getOwnCopy(work: Pick<Work, "db" | "caller">, id: VaultId): Promise<VaultEntry> {
  const entry = await getCopy(work.db, id);
  if (maySee(entry, work.caller)) return entry;
  throw new Refusal("FORBIDDEN", "That copy belongs to another developer.", nextStep("listOwnCopies"));
}

/** Looks whether a copy can be put back there, or where it was. */
export async function checkRestoreGround(look: Look, ask: { id: VaultId; path: string | undefined }): Promise<Ground> {
  const entry = await look.read((db) => getOwnCopy({ db, caller: look.caller }, ask.id));
  checkRestorable(entry);
  const path = ask.path === undefined ? entry.path : normaliseRepositoryPath(ask.path);
  return look.ports.worktree.checkGround({ repositoryPath: entry.repositoryPath, path }, look.signal);
}

/** Asks for a copy to be put back. */
export async function requestRestore(work: Work, ask: { id: VaultId; ground: Ground }): Promise<VaultEntry> {
  const entry = await getOwnCopy(work, ask.id);
  checkRestorable(entry);
  if (entry.place !== work.place) {
    throw new Refusal("INVALID_STATE", "That copy lies with another server.", "Ask the server that made it.");
  }
  await saveCopy(work.db, entry, { restoredTo: null, problem: null });
  const { branch, head, trees } = entry;
  const payload = { copyId: entry.id, ...ask.ground, branch, head, trees };
  work.after(restoreCopy.ask({ key: work.newId("errand"), subject: entry.id, payload }));
  return entry;
}

type OfCopy<Payload> = Payload & { readonly copyId: VaultId };

/** Puts a copy back as a worktree. */
export const restoreCopy = defineErrand<OfCopy<RestoreWorktree>, RestoredWorktree>({
  name: "vault.restore",
  timeoutMs: 20 * 60_000,
  mostAttempts: 4,
  async done(work, { copyId }, { path, isExact }) {
    const entry = await getCopy(work.db, copyId);
    await saveCopy(work.db, entry, {
      restoredTo: path,
      // What this disk cannot hold as it was, such as two names that differ in case only, stays in the vault.
      ...(isExact ? { restoredAt: work.now } : { problem: "What was put back differs from what was stored." }),
    });
    work.record(vaultEvent.restored(copyId, { worktree_id: entry.worktreeId }));
  },
  async failed(work, { copyId }, { code, message }) {
    const entry = await getCopy(work.db, copyId);
    await saveCopy(work.db, entry, { problem: `${code}: ${message}` });
    work.record(vaultEvent.restoreFailed(copyId, { worktree_id: entry.worktreeId, code }));
  },
});

/** Lets go of a copy: git may clean its objects away from now on. */
export const dropCopy = defineErrand<OfCopy<DropCopy>, null>({
  name: "vault.drop",
  timeoutMs: 60_000,
  mostAttempts: 4,
  async done(work, { copyId }) {
    const entry = await getCopy(work.db, copyId);
    await saveCopy(work.db, entry, { droppedAt: work.now });
    work.record(vaultEvent.dropped(copyId, { worktree_id: entry.worktreeId }));
  },
  async failed(work, { copyId }, { code, message }) {
    await saveCopy(work.db, await getCopy(work.db, copyId), { problem: `${code}: ${message}` });
  },
});

/** More than this many copies are never looked at in one go. */
const mostLookedAt = 10_000;

/** Drops what is beyond the quota and may go. */
export async function trimVault(work: SystemWork, most: number): Promise<void> {
  const entries = await listCopies(work.db, { includesDropped: false, limit: mostLookedAt });
  for (const entry of chooseDrops(entries, { most, now: work.now })) {
    const { id, place, repositoryPath, ref, trees } = entry;
    const payload = { copyId: id, repositoryPath, ref, commit: trees.commit };
    work.after(dropCopy.ask({ key: id, subject: id, place, payload }));
  }
}
