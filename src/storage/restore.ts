import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Refusal } from "../contract/refusal.ts";
import { forgetDamage } from "./damage.ts";
import type { Db } from "./db.ts";
import { lockFileOf, lockStore } from "./lock.ts";
import { copyPlain, syncToDisk } from "./private-file.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { readStoreFile } from "./store-file.ts";

interface Restored {
  /** Where the store that was there before is now; null when there was none. */
  readonly previous: string | null;
}

/** Finds out whether a store is sound; given by the caller, because storage knows no ledger. */
type CheckStore = (db: Db) => Promise<{ readonly isIntact: boolean }>;

/**
 * Puts a backup in the place of a store that no process holds. What is put in place is a copy that has been checked
 * first; what was there is kept beside it. At every moment there is a whole store under the database's name.
 */
export async function restoreStore(backupFile: string, databaseFile: string, check: CheckStore): Promise<Restored> {
  const home = dirname(resolve(databaseFile));
  const startedAt = new Date().toISOString();
  const lock = lockStore(lockFileOf(databaseFile), { pid: process.pid, startedAt, home });
  const draft = `${databaseFile}.restoring`;
  try {
    removeStore(draft);
    copyPrivately(backupFile, draft);
    await refuseUnsound(draft, check);
    syncToDisk(draft);
    const previous = existsSync(databaseFile) ? await keepAside(databaseFile, startedAt) : null;
    renameSync(draft, databaseFile);
    forgetDamage(databaseFile);
    syncToDisk(home);
    return { previous };
  } finally {
    removeStore(draft);
    lock.release();
  }
}

function copyPrivately(from: string, to: string): void {
  if (!existsSync(from)) throw new Refusal("NOT_FOUND", "The backup's file does not exist.", "Check its path.");
  // A backup made by copying files may come with a log that holds its newest changes.
  for (const suffix of ["", "-wal"]) {
    if (!existsSync(from + suffix) || copyPlain(from + suffix, to + suffix)) continue;
    const what = suffix === "" ? "The backup" : "What lies beside the backup as its log";
    throw new Refusal("INVALID_INPUT", `${what} is not a file.`, "Name a file that Crewdeck made.");
  }
}

async function refuseUnsound(draft: string, check: CheckStore): Promise<void> {
  await readStoreFile(draft, async (db) => {
    const verification = await check(db);
    if (verification.isIntact) return;
    throw new Refusal("INVALID_INPUT", "The backup is damaged.", "Use an older backup.", { verification });
  });
  settleLog(draft);
}

/** Hard links: the old store keeps its name until the new one takes it over in a single step. */
async function keepAside(databaseFile: string, startedAt: string): Promise<string> {
  const aside = `${databaseFile}.before-restore-${startedAt.replaceAll(/[:.]/g, "-")}`;
  try {
    await readStoreFile(databaseFile, async () => undefined);
    settleLog(databaseFile);
  } catch {
    // What is too damaged to be opened is kept as it is, log and all.
  }
  linkSync(databaseFile, aside);
  for (const suffix of ["-wal", "-shm"]) {
    if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, aside + suffix);
  }
  return aside;
}

function settleLog(file: string): void {
  const connection = new SqliteConnection(file);
  try {
    connection.settleLog();
  } finally {
    connection.close();
  }
}

function removeStore(file: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
}
