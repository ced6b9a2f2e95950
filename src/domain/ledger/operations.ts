import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { emptyHead, type Head, hashRow } from "./chain.ts";
import type { Pardon } from "./pardon.ts";
import { areRowsChecked, isAboutFile, isUnreadable, listProblems } from "./problem-queries.ts";
import { listRows, readHead, readPardon } from "./queries.ts";
import { continueChain, savePardon, trustRows } from "./store.ts";

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
  /** What is wrong besides the ledger, such as rows that were damaged; empty when all is well. */
  readonly problems: readonly string[];
  /** What is wrong and was accepted by a person (DU22). */
  readonly accepted: readonly string[];
  /** Whether damage inside a row would be found: on PostgreSQL where its data checksums are on. */
  readonly areRowsChecked: boolean;
}

/** Lets others have a turn: SQLite answers at once, so a long walk would keep a whole server from its work. */
type Breathe = () => Promise<unknown>;

/** Whether a store is sound: the database's own check, then the whole ledger. */
export async function verifyStore(db: Db, breathe: Breathe = async () => undefined): Promise<StoreVerification> {
  const pardon = await readPardon(db);
  const isAccepted = (problem: string): boolean => pardon.problems.includes(problem);
  const found = await listProblems(db);
  const problems = found.filter((problem) => !isAccepted(problem));
  const { ledger, crossed } = await verifyLedger(db, breathe, pardon);
  return {
    ...ledger,
    isIntact: ledger.isIntact && problems.length === 0,
    problems,
    accepted: [...found.filter(isAccepted), ...crossed],
    areRowsChecked: await areRowsChecked(db),
  };
}

/** The first thing that is wrong with a store, in short. */
export const whatIsDamaged = ({ reason, problems }: StoreVerification): string =>
  reason ?? problems[0] ?? "nothing is damaged";

/**
 * A person keeps a damaged store as it is (DU22): what can be put right without guessing is, the rest is noted. Answers
 * what was found before; refuses where the next change could destroy more.
 */
export async function acceptDamage(db: Db): Promise<StoreVerification> {
  const found = await verifyStore(db);
  if (found.isIntact) return found;
  if (!(await trustRows(db))) throw refuseBrokenFile(found);
  const head = await continueChain(db);
  const left = await verifyStore(db);
  if (left.problems.some(isAboutFile)) throw refuseBrokenFile(left);
  const pardon = await readPardon(db);
  const { firstBadSeq, reason } = left;
  await savePardon(db, {
    problems: [...pardon.problems, ...left.problems],
    breaks:
      firstBadSeq === null ? pardon.breaks : [...pardon.breaks, { firstBadSeq, reason: reason ?? "", resumes: head }],
  });
  return found;
}

const refuseBrokenFile = ({ problems }: StoreVerification): Refusal =>
  new Refusal(
    "INVALID_STATE",
    "The file itself is broken, so this store can't be kept as it is.",
    "Restore a backup: crewdeck restore FILE",
    { problems },
  );

const pageSize = 1_000;

/** Walks the whole chain, over the places where it is known not to hold. */
async function verifyLedger(
  db: Db,
  breathe: Breathe,
  { breaks }: Pardon,
): Promise<{ readonly ledger: Verification; readonly crossed: readonly string[] }> {
  const crossed: string[] = [];
  let ledger = await walkChain(db, breathe, emptyHead);
  for (const { firstBadSeq, reason, resumes } of breaks) {
    if (ledger.firstBadSeq !== firstBadSeq) continue;
    crossed.push(reason);
    ledger = await walkChain(db, breathe, resumes);
  }
  return { ledger, crossed };
}

/** Answers the first entry after `start` that was edited, moved, dropped or cut off, or can't be read. */
async function walkChain(db: Db, breathe: Breathe, start: Head): Promise<Verification> {
  let last = start;
  try {
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
  } catch (error) {
    if (isUnreadable(error)) return broken(last, `the entries after ${last.seq} cannot be read`);
    throw error;
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
