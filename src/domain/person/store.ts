import type { TeamId, TokenId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { addMeta } from "../../storage/meta.ts";
import { saveVersioned } from "../../storage/save.ts";
import { clockSlackMs } from "../clock.ts";
import type { Developer, Token } from "./model.ts";

const teamKey = "team";

/** A store has one team: of several nodes that found it at once all but one find the key taken, and must look again. */
export async function insertTeam(db: Db, team: { id: TeamId; name: string; createdAt: number }): Promise<void> {
  await addMeta(db, teamKey, team.id);
  await db.run(db.q.insertInto("team").values(team));
}

export async function insertDeveloper(db: Db, developer: Developer): Promise<void> {
  await db.run(db.q.insertInto("developer").values({ ...developer, isPrivate: Number(developer.isPrivate) }));
}

export async function saveDeveloper(
  db: Db,
  read: Developer,
  changes: Partial<Pick<Developer, "name" | "email" | "isPrivate">> & { updatedAt: number },
): Promise<void> {
  const { isPrivate, ...rest } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("developer")
      .set({ ...rest, ...(isPrivate === undefined ? {} : { isPrivate: Number(isPrivate) }), version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

export async function insertToken(db: Db, token: Token): Promise<void> {
  await db.run(db.q.insertInto("token").values(token));
}

export async function saveToken(
  db: Db,
  read: Token,
  changes: { revokedAt: number } | { pageLock: string },
): Promise<void> {
  await saveVersioned(
    db,
    db.q
      .updateTable("token")
      .set({ ...changes, version: read.version + 1 })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}

/** A token that was made by a clock that was ahead lives from now on, and as long as it was meant to. */
export async function shortenTokens(db: Db, now: number): Promise<void> {
  const ahead = now + clockSlackMs;
  await db.run(
    db.q
      .updateTable("token")
      .set((of) => ({
        createdAt: now,
        expiresAt: of(of("expiresAt", "-", of.ref("createdAt")), "+", now),
        version: of("version", "+", 1),
      }))
      .where("expiresAt", "is not", null)
      .where("createdAt", ">", ahead),
  );
  await db.run(db.q.updateTable("token").set({ lastUsedAt: now }).where("lastUsedAt", ">", ahead));
}

/** Nothing is decided by it, so it needs no version; a moment that has passed already changes nothing. */
export async function markTokenUsed(db: Db, id: TokenId, at: number): Promise<void> {
  await db.run(
    db.q
      .updateTable("token")
      .set({ lastUsedAt: at })
      .where("id", "=", id)
      .where((of) => of.or([of("lastUsedAt", "is", null), of("lastUsedAt", "<", at)])),
  );
}
