import type { LedgerEntry } from "../../contract/event.ts";
import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { listEntries, listEntriesSince } from "../ledger/queries.ts";
import type { Work } from "../work.ts";
import { recoveryEvent } from "./recovery-events.ts";
import type { RecoveryScore, RecoverySum } from "./recovery-model.ts";
import { addScores, scorePack } from "./recovery-score.ts";
import type { Wanted } from "./task-context.ts";
import type { PackTaskAsk } from "./task-pack.ts";
import { loadTaskPack } from "./task-pack-operations.ts";

/** The task's pack, for whoever goes on with it: how much of what was forgotten came back is measured (CX15). */
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
    }),
  );
  return answer;
}

interface Recovery extends RecoveryScore {
  readonly at: number;
  readonly budget: number;
}

const mostListed = 20;
const mostSummed = 5_000;

/** The last recoveries of a task, newest first. */
export async function listRecoveries(db: Db, id: TaskId): Promise<Recovery[]> {
  const ask = { after: 0, limit: mostListed, kind, subject: id, newestFirst: { before: undefined } };
  return (await listEntries(db, { ...ask, stream: "work" })).map(recoveryOf);
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
