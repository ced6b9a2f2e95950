import type { Caller } from "../../contract/caller.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { VaultEntry } from "./vault-model.ts";

/** Work that nobody has merged is never dropped before this age. */
const keptForMs = 30 * 24 * 3_600_000;

/** A copy is for the developer whose worktree it was, and for the team's owner. */
export const maySee = (entry: Pick<VaultEntry, "developerId">, caller: Caller): boolean =>
  caller.role === "owner" || entry.developerId === caller.developerId;

export function checkRestorable(entry: VaultEntry): void {
  if (entry.droppedAt === null) return;
  throw new Refusal("INVALID_STATE", "That copy was dropped.", nextStep("listCopies"));
}

/**
 * Which copies go so that no more than `most` stay: first what was restored or merged, then the rest, the oldest first.
 * A copy of work that is not merged stays until it is old enough, however many there are.
 */
export function chooseDrops(entries: readonly VaultEntry[], ask: { most: number; now: number }): VaultEntry[] {
  const kept = entries.filter((entry) => entry.droppedAt === null);
  const mayGo = kept.filter((entry) => entry.isMerged || ask.now - entry.createdAt > keptForMs);
  const isSpent = (entry: VaultEntry): boolean => entry.isMerged || entry.restoredAt !== null;
  const inOrder = mayGo.toSorted(
    (a, b) => Number(isSpent(b)) - Number(isSpent(a)) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
  return inOrder.slice(0, Math.max(0, kept.length - ask.most));
}
