import { createHash } from "node:crypto";
import type { LedgerEntry } from "../../contract/event.ts";

/** What the first entry follows. */
export const genesisHash = "0".repeat(64);

type Unhashed = Omit<LedgerEntry, "hash">;

/** The hash of an entry: it covers every field and the hash before it, so no entry can be edited, moved or dropped. */
export function hashEntry(entry: Unhashed, previousHash: string): string {
  return createHash("sha256")
    .update(
      JSON.stringify([
        previousHash,
        entry.seq,
        entry.at,
        entry.stream,
        entry.kind,
        entry.announced,
        entry.subject,
        entry.channels,
        entry.data,
        entry.developerId,
        entry.callId,
      ]),
    )
    .digest("hex");
}

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Gives entries their places after `head`. Pure: the caller loads the head and saves the outcome. */
export function chainEntries(head: Head, pending: readonly Omit<Unhashed, "seq">[]): LedgerEntry[] {
  let { seq, hash } = head;
  return pending.map((entry) => {
    seq += 1;
    hash = hashEntry({ ...entry, seq }, hash);
    return { ...entry, seq, hash };
  });
}
