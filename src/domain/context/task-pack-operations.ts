import type { TaskId } from "../../contract/ids.ts";
import type { Work } from "../work.ts";
import { gatherContext } from "./gather-operations.ts";
import type { TaskContext, Wanted } from "./task-context.ts";
import { type PackTaskAsk, packTask, type TaskPack } from "./task-pack.ts";

/** No more is read than could fit. */
const leastTokensPerRecord = 20;
const mostRecords = 2_000;

/** What is needed to go on with a task, within a budget of tokens (CX3). */
export async function loadTaskPack<Answer>(
  work: Pick<Work, "db" | "caller">,
  id: TaskId,
  wanted: Wanted,
  ask: PackTaskAsk<Answer>,
): Promise<TaskPack<Answer> & { readonly context: TaskContext }> {
  const most = Math.min(mostRecords, Math.ceil(ask.budget / leastTokensPerRecord));
  const notes = wanted.allNotes ? Math.max(most, wanted.recentNotes) : wanted.recentNotes;
  const context = await gatherContext(work, id, { notes, most });
  return { ...(await packTask(context, wanted, ask)), context };
}
