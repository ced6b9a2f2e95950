import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";

/** Who holds a store. */
export interface Holder {
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

/**
 * Takes the store for this process until it ends, however it ends: the operating system drops the lock with the
 * process, so none can be left behind. A reserved lock on a tiny SQLite file does it, because readers may still read
 * the holder's name from it while it is held.
 */
export function lockStore(file: string, holder: Holder): StoreLock {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec("begin immediate");
    db.exec("create table if not exists holder (json text not null)");
    db.exec("delete from holder");
    db.prepare("insert into holder (json) values (?)").run(JSON.stringify(holder));
    db.exec("commit");
    // Between the two statements another starter may win; then the next line fails as for any loser.
    db.exec("begin immediate");
  } catch {
    const current = readHolder(db);
    db.close();
    throw new StoreHeldError(current);
  }
  return { release: () => db.close() };
}

function readHolder(db: DatabaseSyncInstance): Holder | null {
  try {
    if (db.isTransaction) db.exec("rollback");
    const row = db.prepare("select json from holder").get() as { json: string } | undefined;
    return row ? (JSON.parse(row.json) as Holder) : null;
  } catch {
    return null;
  }
}
