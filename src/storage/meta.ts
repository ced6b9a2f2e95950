import type { Db } from "./db.ts";

/** What is stored under one key of its own, outside every table of a noun. The texts are fixed: every change reads one. */

export async function readMeta(db: Db, key: string): Promise<string | undefined> {
  const [row] = await db.sql<{ value: string }>(`select "value" from "meta" where "key" = ${place(db, 1)}`, [key]);
  return row?.value;
}

/** Fails where the key is taken: of several who add it at once, one does. */
export async function addMeta(db: Db, key: string, value: string): Promise<void> {
  await db.sql(`insert into "meta" ("key", "value") values (${place(db, 1)}, ${place(db, 2)})`, [key, value]);
}

/** Adds the key, or puts the value in the place of what it had. */
export async function saveMeta(db: Db, key: string, value: string): Promise<void> {
  await db.sql(
    `insert into "meta" ("key", "value") values (${place(db, 1)}, ${place(db, 2)})
     on conflict ("key") do update set "value" = excluded."value"`,
    [key, value],
  );
}

export async function deleteMeta(db: Db, key: string): Promise<void> {
  await db.sql(`delete from "meta" where "key" = ${place(db, 1)}`, [key]);
}

const place = (db: Db, number: number): string => (db.dialect === "postgres" ? `$${number}` : "?");
