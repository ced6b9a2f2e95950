import type { Db } from "../../storage/db.ts";
import { emptyHead, type Head, hashRow } from "./chain.ts";
import { listProblems } from "./problem-queries.ts";
import { listRows, readHead } from "./queries.ts";

export { cursorOf, seqOf } from "./cursor.ts";

interface Verification {
  readonly isIntact: boolean;
  /** How many entries, from the first on, are as they were written. */
  readonly entries: number;
  /** The first place where the chain does not hold, if any. */
  readonly firstBadSeq: number | null;
  readonly reason: string | null;
}

export interface StoreVerification extends Verification {
  /** What the database says about its own file; empty when all is well. */
  readonly problems: readonly string[];
}

/** Lets others have a turn: SQLite answers at once, so a long walk would keep a whole server from its work. */
type Breathe = () => Promise<unknown>;

/** Whether a store is sound: the database's own check, then the whole ledger. */
export async function verifyStore(db: Db, breathe: Breathe = async () => undefined): Promise<StoreVerification> {
  const problems = await listProblems(db);
  const ledger = await verifyLedger(db, breathe);
  return { ...ledger, isIntact: ledger.isIntact && problems.length === 0, problems };
}

const pageSize = 1_000;

/** Walks the whole chain. Answers the first entry that was edited, moved, dropped or cut off. */
async function verifyLedger(db: Db, breathe: Breathe): Promise<Verification> {
  let last: Head = emptyHead;
  for (;;) {
    const page = await listRows(db, last.seq, pageSize);
    for (const row of page) {
      const due = last.seq + 1;
      if (row.seq !== due) return broken(last, `entry ${due} is missing`);
      if (hashRow(row, last.hash) !== row.hash) return broken(last, `entry ${due} was changed`);
      last = { seq: row.seq, hash: row.hash };
    }
    if (page.length < pageSize) break;
    await breathe();
  }
  return compareWithHead(last, await readHead(db).catch(() => null));
}

function compareWithHead(last: Head, head: Head | null): Verification {
  if (head === null) return broken(last, "the note of the newest entry was changed");
  if (head.seq > last.seq) return broken(last, `the end is cut off after entry ${last.seq}`);
  if (head.seq < last.seq) return broken(head, `entry ${head.seq + 1} was added from outside`);
  if (head.hash !== last.hash) return broken({ ...last, seq: last.seq - 1 }, `entry ${last.seq} was changed`);
  return { isIntact: true, entries: last.seq, firstBadSeq: null, reason: null };
}

const broken = (lastGood: Head, reason: string): Verification => ({
  isIntact: false,
  entries: lastGood.seq,
  firstBadSeq: lastGood.seq + 1,
  reason,
});
