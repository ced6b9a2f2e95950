import type { DeveloperId, FindingId, NoteId, TaskId, WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { IdSet } from "../../storage/id-set.ts";
import { prepare } from "../../storage/prepared.ts";
import type { NoteRow } from "../../storage/schema.ts";
import type { Note, NoteKind } from "./model.ts";

export async function nextSequence(db: Db, taskId: TaskId): Promise<number> {
  const row = await db.first(lastSequence(db.q, taskId));
  return (row?.sequence ?? 0) + 1;
}

const lastSequence = prepare((q, taskId: TaskId) =>
  q.selectFrom("note").select("sequence").where("taskId", "=", taskId).orderBy("sequence", "desc").limit(1),
);

interface NoteFilter {
  readonly taskId: TaskId;
  readonly kinds?: readonly NoteKind[] | undefined;
  /** Only those after this one. */
  readonly after?: number | undefined;
  /** All of them unless said. */
  readonly limit?: number | undefined;
  /** Leaves out what belongs to a plan that was given up. */
  readonly onlyCurrent?: boolean;
}

/** Oldest first. With a limit, the newest ones, or those that follow `after`. */
export async function listNotes(db: Db, filter: NoteFilter): Promise<Note[]> {
  if (filter.onlyCurrent && filter.after === undefined && filter.limit !== undefined) {
    const { taskId, kinds, limit } = filter;
    const rows = await db.all(kinds ? newestOfKinds(db.q, taskId, kinds, limit) : newest(db.q, taskId, limit));
    return rows.map(noteOf).reverse();
  }
  let query = db.q
    .selectFrom("note")
    .selectAll()
    .where("taskId", "=", filter.taskId)
    .orderBy("sequence", filter.after === undefined ? "desc" : "asc");
  if (filter.limit !== undefined) query = query.limit(filter.limit);
  if (filter.kinds !== undefined) query = query.where("kind", "in", filter.kinds);
  if (filter.after !== undefined) query = query.where("sequence", ">", filter.after);
  if (filter.onlyCurrent) query = query.where("isSuperseded", "=", 0);
  const notes = (await db.all(query)).map(noteOf);
  return filter.after === undefined ? notes.reverse() : notes;
}

const current = (q: Db["q"], taskId: TaskId, limit: number) =>
  q
    .selectFrom("note")
    .selectAll()
    .where("taskId", "=", taskId)
    .where("isSuperseded", "=", 0)
    .orderBy("sequence", "desc")
    .limit(limit);

const newest = prepare((q, taskId: TaskId, limit: number) => current(q, taskId, limit));

const newestOfKinds = prepare((q, taskId: TaskId, kinds: readonly NoteKind[], limit: number) =>
  current(q, taskId, limit).where("kind", "in", kinds),
);

/** Workflows of which an issue waits for a person, as a part of other queries. */
export const blockedWorkflowIds = (db: Db): IdSet<WorkflowId> =>
  db.q
    .selectFrom("note")
    .select("workflowId as id")
    .where("workflowId", "is not", null)
    .where("needsHuman", "=", 1)
    .where("resolvedAt", "is", null)
    .$narrowType<{ id: WorkflowId }>();

export async function countCurrentNotes(db: Db, taskId: TaskId): Promise<{ all: number; decisions: number }> {
  const counts = await db.first(currentCount(db.q, taskId));
  return { all: Number(counts?.all ?? 0), decisions: Number(counts?.decisions ?? 0) };
}

const currentCount = prepare((q, taskId: TaskId) =>
  q
    .selectFrom("note")
    .select((of) => [
      of.fn.countAll<number>().as("all"),
      of.fn.countAll<number>().filterWhere("kind", "=", "decision").as("decisions"),
    ])
    .where("taskId", "=", taskId)
    .where("isSuperseded", "=", 0),
);

interface FilesAsk {
  readonly limit: number;
  readonly except: readonly DeveloperId[];
}

/** The files that the newest current notes name, each once, last changed first. */
export const listChangedFiles = async (db: Db, taskId: TaskId, ask: FilesAsk): Promise<string[]> => [
  ...new Set((await listNamedFiles(db, taskId, ask)).flatMap(({ files }) => files)),
];

/** The same by the note that names them, newest first. */
export async function listNamedFiles(
  db: Db,
  taskId: TaskId,
  { limit, except }: FilesAsk,
): Promise<{ readonly sequence: number; readonly files: readonly string[] }[]> {
  const all = await db.all(filesOf(db.q, taskId, limit));
  const rows = all.filter(({ developerId }) => !except.includes(developerId));
  return rows.map(({ sequence, files }) => ({ sequence, files: JSON.parse(files) as string[] }));
}

const filesOf = prepare((q, taskId: TaskId, limit: number) =>
  q
    .selectFrom("note")
    .select(["files", "developerId", "sequence"])
    .where("taskId", "=", taskId)
    .where("isSuperseded", "=", 0)
    .where("files", "<>", "[]")
    .orderBy("sequence", "desc")
    .limit(limit),
);

interface WorkflowNoteFilter {
  readonly workflowId: WorkflowId;
  readonly kinds: readonly NoteKind[];
  /** Only those of these tasks. */
  readonly taskIds?: readonly TaskId[] | undefined;
  /** Created at this moment or later. */
  readonly since?: number | undefined;
  readonly onlyOpen?: boolean;
  readonly limit: number;
}

/** Notes of all tasks of a workflow, newest first. */
export async function listWorkflowNotes(db: Db, filter: WorkflowNoteFilter): Promise<Note[]> {
  let query = db.q
    .selectFrom("note")
    .selectAll()
    .where("workflowId", "=", filter.workflowId)
    .where("kind", "in", filter.kinds)
    .orderBy("createdAt", "desc")
    .orderBy("sequence", "desc")
    .limit(filter.limit);
  if (filter.taskIds !== undefined) query = query.where("taskId", "in", filter.taskIds);
  if (filter.since !== undefined) query = query.where("createdAt", ">=", filter.since);
  if (filter.onlyOpen) query = query.where("needsHuman", "=", 1).where("resolvedAt", "is", null);
  return (await db.all(query)).map(noteOf);
}

/** What was decided about these findings, newest first. */
export async function listFindingNotes(db: Db, findingIds: readonly FindingId[], limit: number): Promise<Note[]> {
  if (findingIds.length === 0) return [];
  const rows = await db.all(
    db.q
      .selectFrom("note")
      .selectAll()
      .where("findingId", "in", findingIds)
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .limit(limit),
  );
  return rows.map(noteOf);
}

/** Which of these findings somebody decided about. */
export async function listDecidedFindings(db: Db, ids: readonly FindingId[]): Promise<ReadonlySet<FindingId>> {
  if (ids.length === 0) return new Set();
  const rows = await db.all(db.q.selectFrom("note").select("findingId").distinct().where("findingId", "in", ids));
  return new Set(rows.flatMap(({ findingId }) => findingId ?? []));
}

export async function findNote(db: Db, id: NoteId): Promise<Note | undefined> {
  const row = await db.first(db.q.selectFrom("note").selectAll().where("id", "=", id));
  return row && noteOf(row);
}

export async function countNotes(db: Db, taskId: TaskId, kind: NoteKind): Promise<number> {
  const row = await db.first(
    db.q
      .selectFrom("note")
      .select((of) => of.fn.countAll<number>().as("count"))
      .where("taskId", "=", taskId)
      .where("kind", "=", kind),
  );
  return Number(row?.count ?? 0);
}

export async function hasOpenIssue(db: Db, workflowId: WorkflowId): Promise<boolean> {
  const row = await db.first(
    db.q
      .selectFrom("note")
      .select("id")
      .where("workflowId", "=", workflowId)
      .where("needsHuman", "=", 1)
      .where("resolvedAt", "is", null)
      .limit(1),
  );
  return row !== undefined;
}

const noteOf = (row: NoteRow): Note => ({
  ...row,
  detail: row.detail === null ? null : (JSON.parse(row.detail) as Record<string, unknown>),
  files: JSON.parse(row.files) as string[],
  isSuperseded: row.isSuperseded === 1,
  needsHuman: row.needsHuman === 1,
});
