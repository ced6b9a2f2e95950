import { createHash } from "node:crypto";
import type { LedgerEntry } from "../../contract/event.ts";
import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { listEntries, listEntriesSince } from "../ledger/queries.ts";
import { listNamedFiles, listNotes } from "../note/queries.ts";
import { concealNotes, listUnreadable } from "../note/sight-operations.ts";
import type { Work } from "../work.ts";
import { filesOfReceipt, gatherContext, mostFiles } from "./gather-operations.ts";
import { recoveryEvent } from "./recovery-events.ts";
import { findMissing, placeOfFile, type TaskWords } from "./recovery-missing.ts";
import { type Kept, type Missing, MissingPlaces, type RecoveryScore, type RecoverySum } from "./recovery-model.ts";
import { addScores, listMissing, scorePack } from "./recovery-score.ts";
import type { TaskContext, Wanted } from "./task-context.ts";
import type { PackTaskAsk } from "./task-pack.ts";
import { loadTaskPack } from "./task-pack-operations.ts";

/** The task's pack, for whoever goes on with it: how much of what was forgotten came back is measured (CX15, CX17). */
export async function recoverTask<Answer>(
  work: Work,
  id: TaskId,
  wanted: Wanted,
  ask: PackTaskAsk<Answer>,
): Promise<Answer> {
  const { answer, packed, context } = await loadTaskPack(work, id, wanted, ask);
  // The deck shows what an agent would get; nobody has forgotten anything.
  if (work.madeBy === "deck") return answer;
  const { decisions, files, steps } = scorePack(packed.chosen, context);
  work.record(
    recoveryEvent.measured(id, {
      budget: ask.budget,
      decisions: decisions.all,
      decisions_kept: decisions.kept,
      files: files.all,
      files_kept: files.kept,
      steps: steps.all,
      steps_kept: steps.kept,
      ...([decisions, files, steps].some(isLacking)
        ? { missing: listMissing(packed.chosen, await readWords(work, context)) }
        : {}),
    }),
  );
  return answer;
}

const isLacking = ({ kept, all }: Kept): boolean => kept < all;

/** What could be missing, by where it stands; as this caller may read it. */
async function readWords(
  work: Pick<Work, "db" | "caller">,
  { task, mission }: Pick<TaskContext, "task" | "mission">,
): Promise<TaskWords> {
  const { db } = work;
  const decisions = await listNotes(db, {
    taskId: task.id,
    kinds: ["decision"],
    limit: mostDecisions,
    onlyCurrent: true,
  });
  const named = await listNamedFiles(db, task.id, { limit: mostFiles, except: await listUnreadable(work, task) });
  const files = [{ sequence: 0, files: filesOfReceipt(mission) }, ...named];
  return {
    decisions: (await concealNotes(work, decisions, task)).reverse(),
    files: new Map(files.flatMap((one) => one.files.map((path, at) => [placeOfFile(one.sequence, at), path] as const))),
    steps: task.plan?.steps ?? [],
    plan: task.plan && createHash("sha256").update(JSON.stringify(task.plan)).digest("hex").slice(0, 16),
    receipt: mission?.receipt?.at ?? null,
  };
}

const mostDecisions = 500;

interface Recovery extends RecoveryScore {
  readonly at: number;
  readonly budget: number;
}

interface ListedRecovery extends Recovery {
  /** Undefined where nothing is, or where it was not kept yet. */
  readonly missing: Missing | undefined;
}

const mostListed = 20;
const mostSummed = 5_000;

/** The last recoveries of a task, newest first, with what did not come back of what is still in force. */
export async function listRecoveries(work: Pick<Work, "db" | "caller">, id: TaskId): Promise<ListedRecovery[]> {
  const ask = { after: 0, limit: mostListed, kind, subject: id, newestFirst: { before: undefined } };
  const entries = await listEntries(work.db, { ...ask, stream: "work" });
  const words = await readWords(work, await gatherContext(work, id, { notes: 0, most: 1 }));
  return entries.map((entry) => ({ ...recoveryOf(entry), missing: missingOf(entry, words) }));
}

function missingOf({ data }: LedgerEntry, words: TaskWords): Missing | undefined {
  const places = MissingPlaces.safeParse(data["missing"]);
  return places.success ? findMissing(places.data, words) : undefined;
}

/** All recoveries since a moment, whoever made them. */
export async function sumRecoveries(db: Db, since: number): Promise<RecoverySum> {
  const found = (await listEntriesSince(db, { kind, since, limit: mostSummed })).map(recoveryOf);
  return { count: found.length, ...addScores(found) };
}

const kind = "recovery.measured";

function recoveryOf({ at, data }: LedgerEntry): Recovery {
  const numberOf = (name: string): number => Number(data[name] ?? 0);
  const keptOf = (name: string) => ({ kept: numberOf(`${name}_kept`), all: numberOf(name) });
  const score = { decisions: keptOf("decisions"), files: keptOf("files"), steps: keptOf("steps") };
  return { at, budget: numberOf("budget"), ...score };
}
