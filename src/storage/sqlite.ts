import {
  backup as backupDatabase,
  DatabaseSync,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from "@photostructure/sqlite";
import { Refusal } from "../contract/refusal.ts";
import { sqliteBuilder } from "./compile.ts";
import { bindable, type Db, type Query } from "./db.ts";
import { GroupRunner, type Job as GroupJob } from "./group-runner.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migration.ts";
import type { Outcome, Store, StoreHooks, TransactOptions } from "./store.ts";

/** Below this release SQLite can lose committed pages when two connections checkpoint at once. */
const oldestSafeSqlite = [3, 51, 3] as const;

/** Opens the embedded store. One process owns the file; `lock.ts` keeps it so. */
export async function openSqlite(file: string, hooks: StoreHooks, now: () => number): Promise<Store> {
  const writer = new SqliteConnection(file);
  refuseUnsafeSqlite(writer);
  writer.exec("pragma journal_mode = wal");
  writer.exec("pragma synchronous = full");
  writer.exec("pragma journal_size_limit = 67108864");
  writer.exec("begin immediate");
  try {
    await migrate(writer, migrations, now());
    writer.exec("commit");
  } catch (error) {
    writer.exec("rollback");
    writer.close();
    throw error;
  }
  const reader = new SqliteConnection(file);
  reader.exec("pragma query_only = on");
  return new SqliteStore(file, writer, reader, hooks);
}

class SqliteStore implements Store {
  readonly dialect = "sqlite";
  readonly location: string;
  readOnlyReason: string | null = null;
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #hooks: StoreHooks;
  readonly #writes: GroupRunner<Outcome<unknown>>;
  readonly #reads: GroupRunner<unknown>;

  constructor(file: string, writer: SqliteConnection, reader: SqliteConnection, hooks: StoreHooks) {
    this.location = file;
    this.#writer = writer;
    this.#reader = reader;
    this.#hooks = hooks;
    this.#writes = new GroupRunner((jobs) => this.#commit(jobs), { gathers: true });
    this.#reads = new GroupRunner((jobs) => this.#snapshot(jobs), { gathers: false });
  }

  async read<T>(body: (db: Db) => Promise<T>): Promise<T> {
    return (await this.#reads.push(body, undefined)) as T;
  }

  async transact<T>(body: (db: Db) => Promise<Outcome<T>>, options: TransactOptions = {}): Promise<T> {
    const outcome = await this.#writes.push(body, options.signal);
    return outcome.value as T;
  }

  async backup(file: string): Promise<void> {
    await backupDatabase(this.#reader.raw, file);
  }

  async close(): Promise<void> {
    await this.#writes.drain();
    await this.#reads.drain();
    this.#reader.close();
    this.#writer.close();
  }

  /**
   * Group commit: the operations run one after the other as savepoints of one transaction and are answered together
   * after its single fsync. One that fails is rolled back alone.
   */
  async #commit(jobs: readonly GroupJob<Outcome<unknown>>[]): Promise<void> {
    const reason = this.readOnlyReason;
    if (reason !== null) {
      for (const job of jobs) job.reject(new Refusal("STORE_READ_ONLY", "The store is read-only.", undefined, { reason }));
      return;
    }
    const db = this.#writer;
    const done: { job: GroupJob<Outcome<unknown>>; outcome: Outcome<unknown> }[] = [];
    try {
      db.exec("begin immediate");
      for (const job of jobs) {
        if (job.signal?.aborted) {
          job.reject(job.signal.reason);
          continue;
        }
        db.exec("savepoint operation");
        try {
          const outcome = await job.body(db);
          job.signal?.throwIfAborted();
          db.exec("release operation");
          done.push({ job, outcome });
        } catch (error) {
          db.exec("rollback to operation");
          db.exec("release operation");
          if (isDiskFailure(error)) throw error;
          job.reject(error);
        }
      }
      const entries = await this.#hooks.append(
        db,
        done.flatMap(({ outcome }) => outcome.entries),
      );
      db.exec("commit");
      for (const { job, outcome } of done) job.resolve(outcome);
      this.#hooks.committed(entries);
    } catch (error) {
      const failure = this.#diagnose(error);
      if (db.isInTransaction) db.exec("rollback");
      for (const job of jobs) job.reject(failure);
    }
  }

  /** A failed commit may have been kept: only a full disk is known to have changed nothing. */
  #diagnose(error: unknown): unknown {
    const code = primaryCode(error);
    if (code === sqliteFull) return new Refusal("STORE_FULL", "The disk is full; nothing was changed.");
    if (code !== sqliteIoError) return error;
    this.readOnlyReason = "a disk write failed";
    return new Refusal("OUTCOME_UNKNOWN", "The disk failed while the change was being saved.");
  }

  async #snapshot(jobs: readonly GroupJob<unknown>[]): Promise<void> {
    const db = this.#reader;
    db.exec("begin");
    for (const job of jobs) {
      try {
        job.resolve(await job.body(db));
      } catch (error) {
        job.reject(error);
      }
    }
    db.exec("commit");
  }
}



/** One connection with a cache of prepared statements. */
class SqliteConnection implements Db {
  readonly dialect = "sqlite";
  readonly q = sqliteBuilder;
  readonly raw: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(file: string) {
    this.raw = new DatabaseSync(file, { timeout: 10_000 });
    this.raw.exec("pragma foreign_keys = on");
  }

  get isInTransaction(): boolean {
    return this.raw.isTransaction;
  }

  async all<O>(query: Query<O>): Promise<O[]> {
    const { sql, parameters } = query.compile();
    return this.#prepare(sql).all(...parameters.map(bindable)) as O[];
  }

  async first<O>(query: Query<O>): Promise<O | undefined> {
    const { sql, parameters } = query.compile();
    return this.#prepare(sql).get(...parameters.map(bindable)) as O | undefined;
  }

  async run(query: Query<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return Number(this.#prepare(sql).run(...parameters.map(bindable)).changes);
  }

  async sql<O>(text: string, parameters: readonly unknown[] = []): Promise<O[]> {
    return this.#prepare(text).all(...parameters.map(bindable)) as O[];
  }

  exec(text: string): void {
    if (text.startsWith("pragma")) this.raw.exec(text);
    else this.#prepare(text).run();
  }

  close(): void {
    this.#statements.clear();
    this.raw.close();
  }

  #prepare(text: string): StatementSyncInstance {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.raw.prepare(text);
      if (this.#statements.size > 500) this.#statements.clear();
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

function refuseUnsafeSqlite(connection: SqliteConnection): void {
  const { version } = connection.raw.prepare("select sqlite_version() as version").get() as { version: string };
  const parts = version.split(".").map(Number);
  const difference = oldestSafeSqlite.map((least, place) => (parts[place] ?? 0) - least).find((delta) => delta !== 0);
  if (difference !== undefined && difference < 0) {
    connection.close();
    throw new Error(`SQLite ${version} can lose data; ${oldestSafeSqlite.join(".")} or later is needed`);
  }
}

const sqliteIoError = 10;
const sqliteFull = 13;

function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

const isDiskFailure = (error: unknown): boolean => [sqliteIoError, sqliteFull].includes(primaryCode(error) ?? 0);
