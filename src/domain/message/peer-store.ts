import type { DeveloperId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { clockSlackMs } from "../clock.ts";
import type { MessageStatus } from "./model.ts";
import type { PeerMessage } from "./peer-model.ts";
import { changeMessage } from "./store.ts";

export async function insertPeerMessage(db: Db, message: PeerMessage): Promise<void> {
  const { detail, body, ...plain } = message;
  await db.run(
    db.q.insertInto("message").values({
      ...plain,
      recipientId: null,
      subject: null,
      priority: "normal",
      workflowId: null,
      body: JSON.stringify(body),
      detail: JSON.stringify(detail),
    }),
  );
}

export const savePeerMessage = (
  db: Db,
  read: PeerMessage,
  changes: { status?: MessageStatus; toDeveloperId?: DeveloperId; updatedAt: number },
): Promise<void> => changeMessage(db, read, changes);

/** What was published by a clock that was ahead lasts as long as it was meant to, from now on. */
export async function shortenLetters(db: Db, now: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("message")
      .set((of) => ({
        createdAt: now,
        expiresAt: of(of("expiresAt", "-", of.ref("createdAt")), "+", now),
        version: of("version", "+", 1),
      }))
      .where("expiresAt", "is not", null)
      .where("createdAt", ">", now + clockSlackMs),
  );
}
