import type { TaskId } from "../../contract/ids.ts";
import type { Work } from "../work.ts";
import { gatherContext } from "./gather-operations.ts";
import type { Wanted } from "./task-context.ts";
import { type PackTaskAsk, packTask } from "./task-pack.ts";

/** No more is read than could fit. */
const leastTokensPerRecord = 20;
const mostRecords = 2_000;

/** What is needed to go on with a task, within a budget of tokens (CX3). */
export async function loadTaskPack<Answer>(
  work: Pick<Work, "db" | "caller">,
  id: TaskId,
  wanted: Wanted,
  ask: PackTaskAsk<Answer>,
): Promise<Answer> {
  const most = Math.min(mostRecords, Math.ceil(ask.budget / leastTokensPerRecord));
  const notes = wanted.allNotes ? Math.max(most, wanted.recentNotes) : wanted.recentNotes;
  return packTask(await gatherContext(work, id, { notes, most }), wanted, ask);
}
