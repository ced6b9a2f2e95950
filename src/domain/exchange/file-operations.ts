import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { type FileMark, type FileSource, snapshotCountsMs } from "../agent/file-mark-model.ts";
import { listFileMarks } from "../agent/file-mark-queries.ts";
import { isFinished } from "../lifecycle.ts";
import { findTask } from "../task/queries.ts";

/** Somebody else who has changed files that the asker has changed too, or means to. */
export interface FileOverlap {
  readonly subjectId: string;
  readonly kind: "session" | "task";
  readonly developerId: DeveloperId;
  readonly sources: readonly FileSource[];
  readonly files: readonly string[];
}

const mostMarks = 2_000;
const mostOverlaps = 50;

/**
 * Other sessions that have touched these files, and other people's open tasks that mean to. To hide private people is
 * the teller's duty (SN14).
 */
export async function listFileOverlaps(
  db: Db,
  ask: {
    repo: string;
    paths: readonly string[];
    sessionId: AgentId;
    developerId: DeveloperId;
    now: number;
  },
): Promise<FileOverlap[]> {
  const marks = await listFileMarks(db, { repos: [ask.repo], paths: [...new Set(ask.paths)], limit: mostMarks });
  const bySubject = new Map<string, FileMark[]>();
  for (const mark of marks) {
    const isSession = mark.source !== "target";
    if (isSession ? mark.subjectId === ask.sessionId : mark.developerId === ask.developerId) continue;
    if (isSession && mark.createdAt < ask.now - snapshotCountsMs) continue;
    bySubject.set(mark.subjectId, [...(bySubject.get(mark.subjectId) ?? []), mark]);
  }
  const overlaps: FileOverlap[] = [];
  for (const [subjectId, own] of bySubject) {
    if (overlaps.length === mostOverlaps) break;
    const overlap = overlapOf(subjectId, own);
    if (overlap.kind === "session" || (await isOpenTask(db, subjectId))) overlaps.push(overlap);
  }
  return overlaps;
}

function overlapOf(subjectId: string, marks: readonly FileMark[]): FileOverlap {
  const sources = [...new Set(marks.map((mark) => mark.source))].sort();
  const [first] = marks;
  return {
    subjectId,
    kind: sources.includes("target") ? "task" : "session",
    developerId: first?.developerId ?? ("" as DeveloperId),
    sources,
    files: [...new Set(marks.map((mark) => mark.path))].sort(),
  };
}

async function isOpenTask(db: Db, id: string): Promise<boolean> {
  const task = await findTask(db, id as TaskId);
  return task !== undefined && !isFinished(task.status) && task.status !== "failed";
}
