import type { AgentId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import { saveVersioned } from "../../storage/save.ts";
import type { SessionRow } from "../../storage/schema-team.ts";
import { clockSlackMs } from "../clock.ts";
import type { Session } from "./session-model.ts";

export async function insertSession(db: Db, session: Session): Promise<void> {
  const { id, workingCopy, ...plain } = session;
  await db.run(
    db.q
      .insertInto("session")
      .values({ ...plain, agentId: id, workingCopy: workingCopy === null ? null : JSON.stringify(workingCopy) }),
  );
}

export async function saveSession(
  db: Db,
  read: Session,
  changes: Partial<Omit<Session, "id" | "version">>,
): Promise<Session> {
  const { workingCopy, ...plain } = changes;
  const columns = {
    ...plain,
    ...(workingCopy === undefined ? {} : { workingCopy: JSON.stringify(workingCopy) }),
    version: read.version + 1,
  };
  await saveVersioned(db, update(db.q, columns, read.id, read.version));
  return { ...read, ...changes, version: read.version + 1 };
}

const update = prepare((q, changes: Partial<SessionRow>, id: AgentId, version: number) =>
  q.updateTable("session").set(changes).where("agentId", "=", id).where("version", "=", version),
);

/** A sign of life that came by another way than a call from the session. */
export async function touchSession(db: Db, id: AgentId, lastSeenAt: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("session")
      .set((row) => ({ lastSeenAt, version: row("version", "+", 1) }))
      .where("agentId", "=", id)
      .where("endedAt", "is", null)
      .where("lastSeenAt", "<", lastSeenAt),
  );
}

/** As `pullBackSigns`, for sessions. */
export async function pullBackSessions(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("session")
      .set((of) => ({ lastSeenAt: now, version: of("version", "+", 1) }))
      .where("endedAt", "is", null)
      .where("lastSeenAt", ">", now + clockSlackMs),
  );
}
