import { Refusal } from "../../contract/refusal.ts";
import type { Db, Dialect } from "../db.ts";
import { addRowSums, dropRowSums } from "../row-sums.ts";

/** One step of the schema, forward only. Statements are fixed text for each database. */
export interface Migration {
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
}

/** Applies what is missing. The caller holds the transaction (SQLite) or the advisory lock (PostgreSQL). */
export async function migrate(db: Db, migrations: readonly Migration[], now: number): Promise<void> {
  const int = db.dialect === "postgres" ? "bigint" : "integer";
  await db.sql(`create table if not exists "migration" ("name" text primary key, "appliedAt" ${int} not null)`);
  await refuseNewerSchema(db, migrations);
  const missing = await listMissing(db, migrations);
  if (missing.length === 0) return;
  if (db.dialect === "sqlite") await dropRowSums(db);
  for (const migration of missing) {
    for (const statement of migration.statements(db.dialect)) await db.sql(statement);
    const place = db.dialect === "postgres" ? "$1, $2" : "?, ?";
    await db.sql(`insert into "migration" ("name", "appliedAt") values (${place})`, [migration.name, now]);
  }
  if (db.dialect === "sqlite") await addRowSums(db);
}

/** An older program would misread what a newer one wrote, so it does not touch it. */
export async function refuseNewerSchema(db: Db, migrations: readonly Migration[]): Promise<void> {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...(await listApplied(db))].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Refusal("CAPABILITY_MISSING", "The store was written by a newer Crewdeck.", "Update this one.", {
    unknown,
  });
}

/** Rows of an older schema have other names; only a server brings them up to date, and never while somebody merely reads. */
export async function refuseOlderSchema(db: Db, migrations: readonly Migration[]): Promise<void> {
  const missing = (await listMissing(db, migrations)).map(({ name }) => name);
  if (missing.length === 0) return;
  throw new Refusal(
    "CAPABILITY_MISSING",
    "The store was written by an older Crewdeck and has not been upgraded yet.",
    "Start the server once to upgrade it: crewdeck up",
    { missing },
  );
}

async function listMissing(db: Db, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await listApplied(db);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function listApplied(db: Db): Promise<ReadonlySet<string>> {
  return new Set((await db.sql<{ name: string }>('select "name" from "migration"')).map((row) => row.name));
}
