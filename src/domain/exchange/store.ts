import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import { clockSlackMs } from "../clock.ts";
import type { SharedContext } from "./model.ts";

/** One at a time may publish for a developer: else two at once would each overlook the other, and both stay active. */
export async function guardPublisher(db: Db, developerId: DeveloperId): Promise<void> {
  await guard(db, `context:${developerId}`);
}

export async function insertContext(db: Db, context: SharedContext): Promise<void> {
  const { files, nextActions, blockers, taskIds, ...plain } = context;
  await db.run(
    db.q.insertInto("sharedContext").values({
      ...plain,
      files: JSON.stringify(files),
      nextActions: JSON.stringify(nextActions),
      blockers: JSON.stringify(blockers),
      taskIds: JSON.stringify(taskIds),
    }),
  );
}

export async function saveContext(
  db: Db,
  read: SharedContext,
  changes: Partial<Pick<SharedContext, "revokedAt" | "supersededBy">>,
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("sharedContext")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

/** What was published by a clock that was ahead lasts as long as it was meant to, from now on. */
export async function shortenContexts(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("sharedContext")
      .set((of) => ({
        createdAt: now,
        expiresAt: of(of("expiresAt", "-", of.ref("createdAt")), "+", now),
        version: of("version", "+", 1),
      }))
      .where("expiresAt", "is not", null)
      .where("createdAt", ">", now + clockSlackMs),
  );
}
