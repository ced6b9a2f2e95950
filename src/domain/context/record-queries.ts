import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

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

/** Of each noun what is older than so many others is not looked through. */
const mostOfEach = 5_000;

/** Tasks, notes, receipts and findings of the whole team, and messages that this person sent or was sent. Newest first. */
export async function listSearchRecords(db: Db, reader: DeveloperId): Promise<SearchRecord[]> {
  return [
    ...(await listTasks(db)),
    ...(await listNotes(db)),
    ...(await listReceipts(db)),
    ...(await listFindings(db)),
    ...(await listMessages(db, reader)),
  ];
}

async function listTasks(db: Db): Promise<SearchRecord[]> {
  const rows = await db.all(db.q.selectFrom("task").selectAll().orderBy("id", "desc").limit(mostOfEach));
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

async function listNotes(db: Db): Promise<SearchRecord[]> {
  const rows = await db.all(db.q.selectFrom("note").selectAll().orderBy("id", "desc").limit(mostOfEach));
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

async function listReceipts(db: Db): Promise<SearchRecord[]> {
  const rows = await db.all(
    db.q
      .selectFrom("evidence")
      .innerJoin("task", "task.id", "evidence.taskId")
      .select(["task.id", "task.name", "task.developerId", "task.updatedAt", "receipt", "level", "agentName"])
      .where("receipt", "is not", null)
      .orderBy("task.id", "desc")
      .limit(mostOfEach),
  );
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

async function listFindings(db: Db): Promise<SearchRecord[]> {
  const rows = await db.all(db.q.selectFrom("finding").selectAll().orderBy("id", "desc").limit(mostOfEach));
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
      state: row.state,
      task_id: row.taskId,
      createdAt: timeOf(row.createdAt),
      updatedAt: timeOf(row.updatedAt),
    },
  }));
}

async function listMessages(db: Db, reader: DeveloperId): Promise<SearchRecord[]> {
  const rows = await db.all(
    db.q
      .selectFrom("message")
      .leftJoin("agent as sender", "sender.id", "message.senderId")
      .leftJoin("agent as recipient", "recipient.id", "message.recipientId")
      .select(["message.id", "subject", "body", "messageType", "message.status", "message.taskId", "message.createdAt"])
      .where((of) =>
        of.or([
          of("sender.developerId", "=", reader),
          of("recipient.developerId", "=", reader),
          of("fromDeveloperId", "=", reader),
          of("toDeveloperId", "=", reader),
        ]),
      )
      .orderBy("message.id", "desc")
      .limit(mostOfEach),
  );
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
