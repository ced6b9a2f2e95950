import type { Db } from "../../storage/db.ts";
import { genesisHash, hashEntry } from "./chain.ts";
import { listEntries, readHead } from "./store.ts";

export interface Verification {
  readonly isIntact: boolean;
  readonly entries: number;
  /** The first place where the chain does not hold, if any. */
  readonly firstBadSeq: number | null;
  readonly reason: string | null;
}

const pageSize = 1_000;

/** Walks the whole chain. Answers the first entry that was edited, moved, dropped or cut off. */
export async function verifyLedger(db: Db): Promise<Verification> {
  let previous = { seq: 0, hash: genesisHash };
  for (;;) {
    const page = await listEntries(db, { after: previous.seq, limit: pageSize });
    for (const entry of page) {
      const bad = (reason: string): Verification => ({
        isIntact: false,
        entries: previous.seq,
        firstBadSeq: previous.seq + 1,
        reason,
      });
      if (entry.seq !== previous.seq + 1) return bad(`entry ${previous.seq + 1} is missing`);
      if (hashEntry(entry, previous.hash) !== entry.hash) return bad(`entry ${entry.seq} was changed`);
      previous = { seq: entry.seq, hash: entry.hash };
    }
    if (page.length < pageSize) break;
  }
  const head = await readHead(db);
  if (head.seq !== previous.seq || head.hash !== previous.hash) {
    const at = Math.min(head.seq, previous.seq) + 1;
    return { isIntact: false, entries: previous.seq, firstBadSeq: at, reason: "the end of the ledger was cut off" };
  }
  return { isIntact: true, entries: previous.seq, firstBadSeq: null, reason: null };
}
