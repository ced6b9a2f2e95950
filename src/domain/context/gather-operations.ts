import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Note } from "../note/model.ts";
import { countCurrentNotes, listChangedFiles, listNotes } from "../note/queries.ts";
import { listLivingDependencies, listPriorTasks, listSiblings } from "../task/neighbour-queries.ts";
import { getTask } from "../task/queries.ts";
import { getWorkflow } from "../workflow/queries.ts";
import { readTaskMission } from "./mission-operations.ts";
import type { TaskContext, TaskMission } from "./task-context.ts";

const mostHighlights = 5;

/** Reads at most `most` records of each kind; how many there are in all is counted. */
export async function gatherContext(db: Db, id: TaskId, ask: { notes: number; most: number }): Promise<TaskContext> {
  const task = await getTask(db, id);
  const mission = await readTaskMission(db, task);
  return {
    task,
    workflow: task.workflowId === null ? null : await getWorkflow(db, task.workflowId),
    notes: ask.notes === 0 ? [] : await listNotes(db, { taskId: id, limit: ask.notes, onlyCurrent: true }),
    noteCount: await countCurrentNotes(db, id),
    highlights: await listHighlights(db, id),
    files: withReceipt(mission, await listChangedFiles(db, id, ask.most)),
    prior: await listPriorTasks(db, task, ask.most),
    siblings: await listSiblings(db, task, ask.most),
    dependencies: await listLivingDependencies(db, task, ask.most),
    mission,
  };
}

/** The files of a receipt, then what notes name beside them. */
function withReceipt(mission: TaskMission | undefined, noted: readonly string[]): string[] {
  const { modified = [], added = [], deleted = [] } = mission?.receipt?.changes ?? {};
  return [...new Set([...modified, ...added, ...deleted, ...noted])];
}

async function listHighlights(db: Db, taskId: TaskId): Promise<Note[]> {
  const newest = (kinds: readonly Note["kind"][], limit = mostHighlights) =>
    listNotes(db, { taskId, kinds, limit, onlyCurrent: true });
  const recovered = (await newest(["recovery"], 1)).at(-1)?.sequence ?? 0;
  const errors = (await newest(["error"])).filter((note) => note.sequence > recovered);
  return [...errors, ...(await newest(["decision"]))].sort((one, other) => one.sequence - other.sequence);
}
