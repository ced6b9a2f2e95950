import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { FileMark, FileSource } from "../agent/file-mark-model.ts";
import { listRepoMarks } from "../agent/file-mark-queries.ts";
import { isStale } from "../agent/session-model.ts";
import { findSession } from "../agent/session-queries.ts";
import type { Area, Meeting } from "../claim/model.ts";
import { findConflicts, listFilesIn } from "../claim/operations.ts";
import { findTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import { findIntent } from "./queries.ts";

/** Files of the area that an open task means to change, or that a live session has changed. */
export interface FileConflict {
  readonly subjectId: string;
  readonly source: FileSource;
  readonly developerId: DeveloperId;
  readonly files: readonly string[];
}

export interface Conflicts {
  readonly meetings: readonly Meeting[];
  readonly fileConflicts: readonly FileConflict[];
  /** More is marked in this repository than was looked at. */
  readonly isCut: boolean;
}

const mostMarks = 5_000;
const mostFileConflicts = 50;

/** Everything that speaks against changing an area right now, the caller's own session and its tasks apart. */
export async function checkConflicts(work: Work, ask: { area: Area; sessionId: AgentId | null }): Promise<Conflicts> {
  const meetings = await findConflicts(work, ask);
  const marks = await listRepoMarks(work.db, ask.area.repo, mostMarks);
  const inArea = new Set(listFilesIn(ask.area, [...new Set(marks.map((mark) => mark.path))]));
  const bySource = new Map<string, FileMark[]>();
  for (const mark of marks.filter(({ path }) => inArea.has(path))) {
    const key = `${mark.source} ${mark.subjectId}`;
    bySource.set(key, [...(bySource.get(key) ?? []), mark]);
  }
  const fileConflicts: FileConflict[] = [];
  for (const own of bySource.values()) {
    if (fileConflicts.length === mostFileConflicts) return { meetings, fileConflicts, isCut: true };
    const [mark] = own;
    if (!mark || !(await isSomebodyElses(work, mark, ask.sessionId))) continue;
    const { subjectId, source, developerId } = mark;
    fileConflicts.push({ subjectId, source, developerId, files: own.map(({ path }) => path).sort() });
  }
  return { meetings, fileConflicts, isCut: marks.length === mostMarks };
}

/** Whether a mark still stands, and not for what the caller is doing right here. */
async function isSomebodyElses(work: Work, mark: FileMark, sessionId: AgentId | null): Promise<boolean> {
  if (mark.source === "target") {
    const task = await findTask(work.db, mark.subjectId as TaskId);
    if (task === undefined || task.endedAt !== null) return false;
    const isOwn = task.developerId === work.caller.developerId;
    return !isOwn || ((await findIntent(work.db, task.id))?.sessionId ?? null) !== sessionId;
  }
  const session = await findSession(work.db, mark.subjectId as AgentId);
  if (session === undefined || session.id === sessionId) return false;
  return session.endedAt === null && !isStale(session, work.now);
}
