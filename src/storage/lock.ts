import { closeSync, mkdirSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { createPrivateFile, openPlain } from "./private-file.ts";
import { isBusy } from "./sqlite-failure.ts";

/** Who holds a store. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
  readonly home: string;
}

export class StoreHeldError extends Error {
  override readonly name = "StoreHeldError";
  readonly holder: Holder | null;

  constructor(holder: Holder | null) {
    super(
      holder
        ? `the store is held by process ${holder.pid} (home ${holder.home}, since ${holder.startedAt})`
        : "the store is held by another process",
    );
    this.holder = holder;
  }
}

export interface StoreLock {
  release(): void;
}

/** The file that stands for the right to open a SQLite store. */
export const lockFileOf = (database: string): string => `${database}-lock`;

/**
 * Takes a store for this process until it ends, however it ends: the operating system drops the lock with the process,
 * so none can be left behind. An open write transaction on an empty SQLite file does it. Nothing is ever written to
 * that file, so no other starter can disturb the winner; who holds it stands in a note of its own.
 */
export function lockStore(file: string, holder: Holder): StoreLock {
  const note = `${file}.json`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  createPrivateFile(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec("begin immediate");
  } catch (error) {
    db.close();
    throw isBusy(error) ? new StoreHeldError(findHolder(note)) : error;
  }
  writeNote(note, holder);
  return { release: () => release(db, note) };
}

function release(db: DatabaseSyncInstance, note: string): void {
  if (!db.isOpen) return;
  rmSync(note, { force: true });
  db.close();
}

function writeNote(note: string, holder: Holder): void {
  const draft = `${note}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  renameSync(draft, note);
}

/** The winner writes its note just after it has won; until then the note may be missing or a dead predecessor's. */
function findHolder(note: string): Holder | null {
  for (let tries = 0; tries < 20; tries += 1) {
    const holder = readNote(note);
    if (holder && isRunning(holder.pid)) return holder;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  return readNote(note);
}

const longestNote = 16 * 1024;

function readNote(note: string): Holder | null {
  let handle: number | undefined;
  try {
    handle = openPlain(note);
    if (handle === undefined) return null;
    const bytes = Buffer.alloc(longestNote);
    return JSON.parse(bytes.subarray(0, readSync(handle, bytes)).toString("utf8")) as Holder;
  } catch {
    return null;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
