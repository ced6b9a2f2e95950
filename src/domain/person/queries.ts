import type { DeveloperId, TokenId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { DeveloperRow, TeamRow } from "../../storage/schema.ts";
import type { Developer, Token } from "./model.ts";

export async function findTeam(db: Db): Promise<TeamRow | undefined> {
  return db.first(db.q.selectFrom("team").selectAll().limit(1));
}

export async function findDeveloper(db: Db, id: DeveloperId): Promise<Developer | undefined> {
  const row = await db.first(byId(db.q, id));
  return row && developerOf(row);
}

const byId = prepare((q, id: DeveloperId) => q.selectFrom("developer").selectAll().where("id", "=", id));

export async function findDeveloperByHandle(db: Db, handle: string): Promise<Developer | undefined> {
  const row = await db.first(db.q.selectFrom("developer").selectAll().where("handle", "=", handle));
  return row && developerOf(row);
}

export async function listDevelopers(db: Db): Promise<Developer[]> {
  return (await db.all(everybody(db.q))).map(developerOf);
}

const everybody = prepare((q) => q.selectFrom("developer").selectAll().orderBy("handle"));

export async function findToken(db: Db, id: TokenId): Promise<Token | undefined> {
  return db.first(db.q.selectFrom("token").selectAll().where("id", "=", id));
}

export async function listTokens(db: Db, developerId?: DeveloperId): Promise<Token[]> {
  let query = db.q.selectFrom("token").selectAll().orderBy("createdAt");
  if (developerId !== undefined) query = query.where("developerId", "=", developerId);
  return db.all(query);
}

const developerOf = (row: DeveloperRow): Developer => ({
  ...row,
  isPrivate: row.isPrivate === 1,
});
