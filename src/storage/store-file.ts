import { closeSync, readSync, statSync } from "node:fs";
import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";
import { migrations } from "./migrations/all.ts";
import { refuseNewerSchema, refuseOlderSchema } from "./migrations/migration.ts";
import { openPlain } from "./private-file.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { isDamaged, isNotADatabase } from "./sqlite-failure.ts";

/** Reads a store's file that no server has open, or that one has: neither is disturbed, and nothing is migrated. */
export async function readStoreFile<T>(
  file: string,
  body: (db: Db) => Promise<T>,
  { mayBeOlder = false }: { readonly mayBeOlder?: boolean } = {},
): Promise<T> {
  const connection = openExisting(file);
  try {
    connection.exec("begin");
    await refuseForeignFile(connection, { mayBeEmpty: false });
    await refuseNewerSchema(connection, migrations);
    if (!mayBeOlder) await refuseOlderSchema(connection, migrations);
    return await body(connection);
  } catch (error) {
    throw explainFile(error);
  } finally {
    connection.abandon();
    connection.close();
  }
}

/**
 * SQLite takes a short text for an empty database and would write over it. Reads the file directly, so never call this
 * on a store that this process has open: closing the file would drop its locks.
 */
export function refuseOtherFormat(file: string): void {
  const start = Buffer.alloc(magic.length);
  const handle = openPlain(file);
  if (handle === undefined) throw notAStore();
  try {
    const length = readSync(handle, start, 0, start.length, 0);
    if (length > 0 && !start.equals(magic)) throw notAStore();
  } finally {
    closeSync(handle);
  }
}

const magic = Buffer.from("SQLite format 3\0");

/** A file that holds somebody else's tables is left exactly as it is. */
export async function refuseForeignFile(db: Db, options = { mayBeEmpty: true }): Promise<void> {
  const tables = await listTables(db);
  if (options.mayBeEmpty && tables.size === 0) return;
  if (!["migration", "meta", "ledger"].every((name) => tables.has(name))) throw notAStore();
}

/** A trigger or view in a file that somebody handed in would act in our name with the first change. */
export async function refuseActingParts(db: Db): Promise<void> {
  const parts = await db.sql<{ type: string; name: string }>(
    "select type, name from sqlite_schema where type in ('trigger', 'view')",
  );
  const [first] = parts;
  if (!first) return;
  throw new Refusal(
    "INVALID_INPUT",
    `The store's file has a ${first.type} that Crewdeck did not make (${first.name}).`,
    "Find out who changed the file, then restore a backup: crewdeck restore FILE",
    { parts: parts.map(({ type, name }) => `${type} ${name}`) },
  );
}

async function listTables(db: Db): Promise<ReadonlySet<string>> {
  try {
    const rows = await db.sql<{ name: string }>("select name from sqlite_schema where type = 'table'");
    return new Set(rows.map((row) => row.name));
  } catch (error) {
    throw explainFile(error);
  }
}

/** What a failure to read a file says about the file. */
export function explainFile(error: unknown): unknown {
  if (isNotADatabase(error)) return notAStore();
  if (isDamaged(error)) return new Refusal("INVALID_INPUT", "The store's file is damaged.", "Restore a backup.");
  return error;
}

function openExisting(file: string): SqliteConnection {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notAStore();
  try {
    return new SqliteConnection(file, { readOnly: true });
  } catch (error) {
    throw isDamaged(error)
      ? explainFile(error)
      : new Refusal("NOT_FOUND", "The file cannot be opened.", "Check its path.");
  }
}

const notAStore = () =>
  new Refusal("INVALID_INPUT", "The file is not a Crewdeck store.", "Name a file that Crewdeck made.");
