import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { backup } from "@photostructure/sqlite";
import { Refusal } from "../contract/refusal.ts";
import { createPrivateFile, syncToDisk } from "./private-file.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Copies a store while it is in use. The copy is of one moment: an open read transaction holds it, without which every
 * write would make the copying start anew and a busy store could never be copied. Nothing is ever overwritten.
 */
export async function backupSqlite(database: string, target: string): Promise<void> {
  if (existsSync(target) && statSync(target).size > 0) {
    throw new Refusal("CONFLICT", "The backup's file exists already.", "Choose a new name; nothing is overwritten.");
  }
  const draft = `${target}.partial`;
  rmSync(draft, { force: true });
  createPrivateFile(draft);
  const source = new SqliteConnection(database, { readOnly: true });
  try {
    source.exec("begin");
    await source.sql('select 1 from "meta" limit 1');
    await backup(source.raw, draft, { rate: pagesAtOnce });
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    source.abandon();
    source.close();
  }
  syncToDisk(draft);
  renameSync(draft, target);
  syncToDisk(dirname(resolve(target)));
}

const pagesAtOnce = 1_000;
