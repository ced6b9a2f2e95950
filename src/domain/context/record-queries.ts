import type { DeveloperId, FindingId, MessageId, NoteId, TaskId } from "../../contract/ids.ts";
import type { TextNeed } from "../../contract/text-need.ts";
import { noteKinds } from "../../contract/words.ts";
import type { Db } from "../../storage/db.ts";
import type { FindingRow } from "../../storage/schema.ts";
import { hasNeeded } from "../../storage/text-where.ts";

/** Something the team wrote down, as a search sees it. */
export interface SearchRecord {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
  /** Whose it is; whoever may not know them does not find it. */
  readonly developerId: DeveloperId;
  readonly at: number;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** How many rows of a noun are looked through at a time: others are answered in between. */
const pageSize = 1_000;

interface RecordsAsk {
  /** Whose messages are found. */
  readonly reader: DeveloperId;
  /** Kinds of records that may pass; undefined is any. */
  readonly kinds: readonly string[] | undefined;
  /** What each text has to have in it: the others are left in the database. */
  readonly need: TextNeed | undefined;
  /** What a finding's row comes to at this moment: decisions expire. */
  stateOf(row: Pick<FindingRow, "state" | "expiresAt">): string;
}

type Read = <T>(body: (db: Db) => Promise<T>) => Promise<T>;

/**
 * Tasks, notes, receipts and findings of the whole team, and messages that this person sent or was sent: all that may
 * be meant, a page at a time, each noun from its end (TG16).
 */
export async function* eachRecords(
  read: Read,
  { reader, kinds, need, stateOf }: RecordsAsk,
): AsyncGenerator<SearchRecord[]> {
  const wants = (kind: string): boolean => kinds?.includes(kind) ?? true;
  if (wants("task")) yield* eachPage(read, listTaskIds, (db, ids) => listTasks(db, ids, need));
  if (noteKinds.some(wants)) yield* eachPage(read, listNoteIds, (db, ids) => listNotes(db, ids, need));
  if (wants("receipt")) yield* eachPage(read, listTaskIds, (db, ids) => listReceipts(db, ids, need));
  if (wants("finding")) yield* eachPage(read, listFindingIds, (db, ids) => listFindings(db, ids, { need, stateOf }));
  if (wants("message")) yield* eachPage(read, listMessageIds, (db, ids) => listMessages(db, ids, { reader, need }));
}

/** A run of ids, both ends included. */
interface Run<Id> {
  readonly first: Id;
  readonly last: Id;
}

async function* eachPage<Id>(
  read: Read,
  listIds: (db: Db, below: Id | undefined) => Promise<Id[]>,
  listRecords: (db: Db, run: Run<Id>) => Promise<SearchRecord[]>,
): AsyncGenerator<SearchRecord[]> {
  let below: Id | undefined;
  do {
    const page = await read(async (db) => {
      const ids = await listIds(db, below);
      const [last] = ids;
      const first = ids.at(-1);
      if (first === undefined || last === undefined) return { next: undefined, records: [] };
      return { next: ids.length < pageSize ? undefined : first, records: await listRecords(db, { first, last }) };
    });
    if (page.records.length > 0) yield page.records;
    below = page.next;
  } while (below !== undefined);
}

async function listTaskIds(db: Db, below: TaskId | undefined): Promise<TaskId[]> {
  const ids = db.q.selectFrom("task").select("id").orderBy("id", "desc").limit(pageSize);
  return (await db.all(below === undefined ? ids : ids.where("id", "<", below))).map(({ id }) => id);
}

async function listNoteIds(db: Db, below: NoteId | undefined): Promise<NoteId[]> {
  const ids = db.q.selectFrom("note").select("id").orderBy("id", "desc").limit(pageSize);
  return (await db.all(below === undefined ? ids : ids.where("id", "<", below))).map(({ id }) => id);
}

async function listFindingIds(db: Db, below: FindingId | undefined): Promise<FindingId[]> {
  const ids = db.q.selectFrom("finding").select("id").orderBy("id", "desc").limit(pageSize);
  return (await db.all(below === undefined ? ids : ids.where("id", "<", below))).map(({ id }) => id);
}

async function listMessageIds(db: Db, below: MessageId | undefined): Promise<MessageId[]> {
  const ids = db.q.selectFrom("message").select("id").orderBy("id", "desc").limit(pageSize);
  return (await db.all(below === undefined ? ids : ids.where("id", "<", below))).map(({ id }) => id);
}

async function listTasks(db: Db, { first, last }: Run<TaskId>, need: TextNeed | undefined): Promise<SearchRecord[]> {
  const all = db.q
    .selectFrom("task")
    .selectAll()
    .where("id", ">=", first)
    .where("id", "<=", last)
    .orderBy("id", "desc");
  const rows = await db.all(
    need
      ? all.where((of) =>
          hasNeeded(need, [
            of.ref("name"),
            of.ref("description"),
            of.ref("outcome"),
            of.ref("outcomeDetail"),
            of.ref("error"),
          ]),
        )
      : all,
  );
  return rows.map((row) => ({
    id: row.id,
    kind: "task",
    name: row.name,
    text: joined(row.name, row.description, row.outcome, row.outcomeDetail, row.error),
    developerId: row.developerId,
    at: row.updatedAt,
    meta: {
      status: row.status,
      workflow_id: row.workflowId,
      files: JSON.parse(row.files) as unknown,
      updated_at: timeOf(row.updatedAt),
    },
  }));
}

async function listNotes(db: Db, { first, last }: Run<NoteId>, need: TextNeed | undefined): Promise<SearchRecord[]> {
  const all = db.q
    .selectFrom("note")
    .selectAll()
    .where("id", ">=", first)
    .where("id", "<=", last)
    .orderBy("id", "desc");
  const rows = await db.all(need ? all.where((of) => hasNeeded(need, [of.ref("summary"), of.ref("detail")])) : all);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.summary,
    text: joined(row.summary, ...valuesOf(row.detail)),
    developerId: row.developerId,
    at: row.createdAt,
    meta: {
      task_id: row.taskId,
      workflow_id: row.workflowId,
      files: JSON.parse(row.files) as unknown,
      superseded: row.isSuperseded === 1,
      ...(row.findingId !== null && { finding_id: row.findingId, ...decisionOf(row) }),
      created_at: timeOf(row.createdAt),
    },
  }));
}

/** What was decided about a finding has the finding's own fields, so that the same filters find both. */
function decisionOf({ id, findingId, detail, createdAt }: NoteColumns): Record<string, unknown> {
  const { decision, routing, ...facts } = JSON.parse(detail ?? "{}") as Record<string, Record<string, unknown>>;
  const expires = decision?.["expires"];
  return {
    recordId: id,
    recordType: "decision",
    findingId,
    ...routing,
    ...facts,
    decision: { ...decision, expires: typeof expires === "number" ? timeOf(expires) : null },
    createdAt: timeOf(createdAt),
  };
}

interface NoteColumns {
  readonly id: string;
  readonly findingId: string | null;
  readonly detail: string | null;
  readonly createdAt: number;
}

async function listReceipts(db: Db, { first, last }: Run<TaskId>, need: TextNeed | undefined): Promise<SearchRecord[]> {
  const all = db.q
    .selectFrom("evidence")
    .innerJoin("task", "task.id", "evidence.taskId")
    .select(["task.id", "task.name", "task.developerId", "task.updatedAt", "receipt", "level", "agentName"])
    .where("receipt", "is not", null)
    .where("task.id", ">=", first)
    .where("task.id", "<=", last)
    .orderBy("task.id", "desc");
  const rows = await db.all(need ? all.where((of) => hasNeeded(need, [of.ref("task.name"), of.ref("receipt")])) : all);
  return rows.map((row) => ({
    id: row.id,
    kind: "receipt",
    name: row.name,
    text: joined(row.name, row.receipt),
    developerId: row.developerId,
    at: row.updatedAt,
    meta: { task_id: row.id, level: row.level, agent_name: row.agentName, updated_at: timeOf(row.updatedAt) },
  }));
}

async function listFindings(
  db: Db,
  { first, last }: Run<FindingId>,
  { need, stateOf }: Pick<RecordsAsk, "need" | "stateOf">,
): Promise<SearchRecord[]> {
  const all = db.q
    .selectFrom("finding")
    .selectAll()
    .where("id", ">=", first)
    .where("id", "<=", last)
    .orderBy("id", "desc");
  const rows = await db.all(
    need
      ? all.where((of) => hasNeeded(need, [of.ref("title"), of.ref("vulnId"), of.ref("packageName"), of.ref("record")]))
      : all,
  );
  return rows.map((row) => ({
    id: row.id,
    kind: "finding",
    name: row.title,
    text: joined(row.title, row.vulnId, row.packageName, ...valuesOf(row.record)),
    developerId: row.developerId,
    at: row.updatedAt,
    meta: {
      ...(JSON.parse(row.record) as Record<string, unknown>),
      source: row.source,
      severity: row.severity,
      state: stateOf(row),
      task_id: row.taskId,
      createdAt: timeOf(row.createdAt),
      updatedAt: timeOf(row.updatedAt),
    },
  }));
}

async function listMessages(
  db: Db,
  { first, last }: Run<MessageId>,
  { reader, need }: Pick<RecordsAsk, "reader" | "need">,
): Promise<SearchRecord[]> {
  const all = db.q
    .selectFrom("message")
    .leftJoin("agent as sender", "sender.id", "message.senderId")
    .leftJoin("agent as recipient", "recipient.id", "message.recipientId")
    .select(["message.id", "subject", "body", "messageType", "message.status", "message.taskId", "message.createdAt"])
    .where("message.id", ">=", first)
    .where("message.id", "<=", last)
    .where((of) =>
      of.or([
        of("sender.developerId", "=", reader),
        of("recipient.developerId", "=", reader),
        of("fromDeveloperId", "=", reader),
        of("toDeveloperId", "=", reader),
      ]),
    )
    .orderBy("message.id", "desc");
  const rows = await db.all(need ? all.where((of) => hasNeeded(need, [of.ref("subject"), of.ref("body")])) : all);
  return rows.map((row) => ({
    id: row.id,
    kind: "message",
    name: row.subject ?? firstLine(textOf(row.body)),
    text: joined(row.subject, textOf(row.body)),
    // Whoever may read a message is shown it as their own.
    developerId: reader,
    at: row.createdAt,
    meta: { type: row.messageType, status: row.status, task_id: row.taskId, created_at: timeOf(row.createdAt) },
  }));
}

const joined = (...texts: readonly (string | null)[]): string => texts.filter(Boolean).join("\n");

/** What an object that is kept as JSON says, one value to a line; its names are ours and say nothing. */
function valuesOf(json: string | null): string[] {
  return listValues(json === null ? null : (JSON.parse(json) as unknown));
}

function listValues(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(listValues);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

/** Bodies are kept as JSON: text, or an object. */
function textOf(body: string): string {
  const value = JSON.parse(body) as unknown;
  return typeof value === "string" ? value : body;
}

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, 200);

const timeOf = (at: number): string => new Date(at).toISOString();
