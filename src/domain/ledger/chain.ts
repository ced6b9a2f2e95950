import { hash } from "node:crypto";
import type { LedgerRow } from "../../storage/schema.ts";

/** What the first entry follows. */
export const genesisHash = "0".repeat(64);

type Unhashed = Omit<LedgerRow, "hash">;

/**
 * The hash of an entry: it covers every column as it is stored and the hash before it, so no entry can be edited,
 * moved or dropped.
 */
export function hashRow(row: Unhashed, previousHash: string): string {
  const { seq, at, stream, kind, announced, subject, channels, data, developerId, callId } = row;
  const columns = [previousHash, seq, at, stream, kind, announced, subject, channels, data, developerId, callId];
  return hash("sha256", JSON.stringify(columns));
}

/** A place in the chain: the newest entry, and all before it. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export const emptyHead: Head = { seq: 0, hash: genesisHash };

/** What the newest place is kept under. */
export const headKey = "ledgerHead";

/** Gives rows their places after `head`. Pure: the caller loads the head and saves the outcome. */
export function chainRows(head: Head, pending: readonly Omit<Unhashed, "seq">[]): LedgerRow[] {
  let { seq, hash } = head;
  return pending.map((row) => {
    seq += 1;
    hash = hashRow({ ...row, seq }, hash);
    return { ...row, seq, hash };
  });
}
