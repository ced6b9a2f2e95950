import type { DeveloperId } from "../../contract/ids.ts";
import type { noteKinds, OneOf, warningStatuses } from "../../contract/words.ts";
import type { Db } from "../../storage/db.ts";
import { cutOf, joinCuts } from "./cut-queries.ts";
import type { Cut, TeamContext, TeamNote, TeamSession, TeamWarning } from "./team-model.ts";

/** What is told beside the work: who is there, what was noted, warned about and published. Newest first, all bounded. */

interface NoteAsk {
  readonly kinds: readonly OneOf<typeof noteKinds>[];
  readonly since?: number | undefined;
  readonly limit: number;
}

export async function listTeamNotes(db: Db, { kinds, since = 0, limit }: NoteAsk): Promise<Cut<TeamNote>> {
  const cuts: Cut<TeamNote>[] = [];
  // One kind after the other: each is the end of its own stretch of an index.
  for (const kind of kinds) {
    const matching = db.q
      .selectFrom("note")
      .where("kind", "=", kind)
      .where("createdAt", ">=", since)
      .where("isSuperseded", "=", 0);
    const rows = await db.all(
      matching.select(noteColumns).orderBy("createdAt", "desc").orderBy("id", "desc").limit(limit),
    );
    cuts.push(await cutOf(db, rows.map(noteOf), limit, () => matching.select("id")));
  }
  return joinCuts(cuts, (note) => note.createdAt, limit);
}

/** Notes that wait until a person has looked at them. */
export async function listOpenNeeds(
  db: Db,
  ask: { developerId?: DeveloperId | undefined; limit: number },
): Promise<TeamNote[]> {
  let query = db.q
    .selectFrom("note")
    .select(noteColumns)
    .where("needsHuman", "=", 1)
    .where("resolvedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(ask.limit);
  if (ask.developerId !== undefined) query = query.where("developerId", "=", ask.developerId);
  return (await db.all(query)).map(noteOf);
}

/** Nobody reads more of a text in a list. */
const mostText = 500;

const noteColumns = [
  "id",
  "kind",
  "summary",
  "developerId",
  "taskId",
  "workflowId",
  "needsHuman",
  "resolvedAt",
  "createdAt",
] as const;

interface NoteColumns extends Pick<TeamNote, "id" | "kind" | "developerId" | "taskId" | "workflowId" | "createdAt"> {
  readonly summary: string;
  readonly needsHuman: number;
  readonly resolvedAt: number | null;
}

const noteOf = (row: NoteColumns): TeamNote => ({
  id: row.id,
  kind: row.kind,
  text: row.summary.slice(0, mostText),
  developerId: row.developerId,
  taskId: row.taskId,
  workflowId: row.workflowId,
  isOpen: row.needsHuman === 1 && row.resolvedAt === null,
  createdAt: row.createdAt,
});

interface SessionAsk {
  /** Those that have ended at this moment or later; left out, those that have not. */
  readonly endedSince?: number | undefined;
  readonly seenBefore?: number | undefined;
  readonly seenSince?: number | undefined;
  readonly developerId?: DeveloperId | undefined;
  readonly limit: number;
}

/** Last seen first. */
export async function listTeamSessions(db: Db, ask: SessionAsk): Promise<Cut<TeamSession>> {
  const { endedSince } = ask;
  let matching = db.q.selectFrom("session").innerJoin("agent", "agent.id", "session.agentId");
  matching =
    endedSince === undefined
      ? matching.where("session.endedAt", "is", null)
      : matching.where("session.endedAt", ">=", endedSince);
  if (ask.developerId !== undefined) matching = matching.where("session.developerId", "=", ask.developerId);
  if (ask.seenBefore !== undefined) matching = matching.where("session.lastSeenAt", "<", ask.seenBefore);
  if (ask.seenSince !== undefined) matching = matching.where("session.lastSeenAt", ">=", ask.seenSince);
  const rows = await db.all(
    matching
      .select(["session.agentId as id", "agent.name", "session.developerId", "session.agentType", "session.provider"])
      .select(["session.model", "session.repo", "session.branch", "session.createdAt", "session.lastSeenAt"])
      .select("session.endedAt")
      .orderBy(endedSince === undefined ? "session.lastSeenAt" : "session.endedAt", "desc")
      .orderBy("session.agentId")
      .limit(ask.limit),
  );
  return cutOf(db, rows, ask.limit, () => matching.select("session.agentId"));
}

interface WarningAsk {
  readonly status?: OneOf<typeof warningStatuses> | undefined;
  readonly since?: number | undefined;
  readonly limit: number;
}

export async function listTeamWarnings(db: Db, { status, since = 0, limit }: WarningAsk): Promise<Cut<TeamWarning>> {
  let matching = db.q.selectFrom("warning").where("createdAt", ">=", since);
  if (status !== undefined) matching = matching.where("status", "=", status);
  const rows = await db.all(
    matching
      .select(["id", "developerId", "kind", "title", "status", "subjectId", "matches", "createdAt"])
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .limit(limit),
  );
  const items = rows.map((row) => ({
    ...row,
    matches: (JSON.parse(row.matches) as unknown[]).length,
  }));
  return cutOf(db, items, limit, () => matching.select("id"));
}

/** Published, and neither withdrawn nor replaced nor expired. */
export async function listTeamContexts(db: Db, ask: { now: number; limit: number }): Promise<Cut<TeamContext>> {
  const matching = db.q
    .selectFrom("sharedContext")
    .where("expiresAt", ">", ask.now)
    .where("revokedAt", "is", null)
    .where("supersededBy", "is", null);
  const rows = await db.all(
    matching
      .select(["id", "developerId", "sessionId", "title", "repo", "branch", "createdAt", "expiresAt"])
      .orderBy("createdAt", "desc")
      .orderBy("id", "desc")
      .limit(ask.limit),
  );
  return cutOf(db, rows, ask.limit, () => matching.select("id"));
}
