import type { Db } from "./db.ts";

/** Whether PostgreSQL writes a checksum with each page and compares it when the page is read. */
export async function hasDataChecksums(db: Db): Promise<boolean> {
  const [row] = await db.sql<{ value: string }>(`select current_setting('data_checksums') as "value"`);
  return row?.value === "on";
}

/** Reads every value of every table, those that are kept apart from their row included. */
export async function readEveryRow(db: Db): Promise<void> {
  const tables = await db.sql<{ name: string }>(
    `select quote_ident(c.relname) as "name" from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by 1`,
  );
  for (const { name } of tables) await db.sql(`select sum(length(t::text)) from ${name} t`);
}
