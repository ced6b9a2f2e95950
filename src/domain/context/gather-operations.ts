import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { Note } from "../note/model.ts";
import { countCurrentNotes, listChangedFiles, listNotes } from "../note/queries.ts";
import { concealNotes, listUnreadable } from "../note/sight-operations.ts";
import { listLivingDependencies, listPriorTasks, listSiblings } from "../task/neighbour-queries.ts";
import { getTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import { getWorkflow } from "../workflow/queries.ts";
import { readTaskMission } from "./mission-operations.ts";
import type { TaskContext, TaskMission } from "./task-context.ts";

const mostHighlights = 5;
/** Notes with changed files are read up to here. */
export const mostFiles = 2_000;

/** Reads at most `most` records of each kind; how many there are in all is counted. */
export async function gatherContext(
  work: Pick<Work, "db" | "caller">,
  id: TaskId,
  ask: { notes: number; most: number },
): Promise<TaskContext> {
  const { db } = work;
  const task = await getTask(db, id);
  const workflow = task.workflowId === null ? null : await getWorkflow(db, task.workflowId);
  const mission = await readTaskMission(work, task, workflow);
  const notes = ask.notes === 0 ? [] : await listNotes(db, { taskId: id, limit: ask.notes, onlyCurrent: true });
  const changed = await listChangedFiles(db, id, { limit: mostFiles, except: await listUnreadable(work, task) });
  const files = withReceipt(mission, changed);
  const counts = await countCurrentNotes(db, id);
  return {
    task,
    workflow,
    notes: await concealNotes(work, notes, task),
    noteCount: counts.all,
    decisionCount: counts.decisions,
    highlights: await concealNotes(work, await listHighlights(db, id), task),
    files: files.slice(0, ask.most),
    fileCount: files.length,
    prior: await listPriorTasks(db, task, ask.most),
    siblings: await listSiblings(db, task, ask.most),
    dependencies: await listLivingDependencies(db, task, ask.most),
    mission,
  };
}

/** The files of a receipt, then what notes name beside them. */
function withReceipt(mission: TaskMission | undefined, noted: readonly string[]): string[] {
  return [...new Set([...filesOfReceipt(mission), ...noted])];
}

export function filesOfReceipt(mission: TaskMission | undefined): string[] {
  const { modified = [], added = [], deleted = [] } = mission?.receipt?.changes ?? {};
  return [...modified, ...added, ...deleted];
}

async function listHighlights(db: Db, taskId: TaskId): Promise<Note[]> {
  const newest = (kinds: readonly Note["kind"][], limit = mostHighlights) =>
    listNotes(db, { taskId, kinds, limit, onlyCurrent: true });
  const recovered = (await newest(["recovery"], 1)).at(-1)?.sequence ?? 0;
  const errors = (await newest(["error"])).filter((note) => note.sequence > recovered);
  return [...errors, ...(await newest(["decision"]))].sort((one, other) => one.sequence - other.sequence);
}
