import type { Db, Dialect } from "../db.ts";

/** One step of the schema, forward only. Statements are fixed text for each database. */
export interface Migration {
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
}

/** Applies what is missing. The caller holds the transaction (SQLite) or the advisory lock (PostgreSQL). */
export async function migrate(db: Db, migrations: readonly Migration[], now: number): Promise<void> {
  await db.sql(
    `create table if not exists "migration" ("name" text primary key, "appliedAt" ${db.dialect === "postgres" ? "bigint" : "integer"} not null)`,
  );
  const applied = new Set((await db.sql<{ name: string }>('select "name" from "migration"')).map((row) => row.name));
  const known = new Set(migrations.map((migration) => migration.name));
  const foreign = [...applied].filter((name) => !known.has(name));
  if (foreign.length > 0) {
    throw new Error(`the store was written by a newer Crewdeck (${foreign.join(", ")}); update this one`);
  }
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    for (const statement of migration.statements(db.dialect)) await db.sql(statement);
    const place = db.dialect === "postgres" ? "$1, $2" : "?, ?";
    await db.sql(`insert into "migration" ("name", "appliedAt") values (${place})`, [migration.name, now]);
  }
}
