import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { Refusal } from "../contract/refusal.ts";
import { sqliteBuilder } from "./compile.ts";
import type { Db, Query } from "./db.ts";
import { sumFunction, sumOf } from "./row-sums.ts";
import { SqliteStatement } from "./sqlite-statement.ts";

/** Below this release SQLite can lose committed pages when two connections checkpoint at once. */
const oldestSafeSqlite = [3, 51, 3] as const;
const mostStatements = 500;

/** Two megabytes, which SQLite takes by itself, do not hold what 32 callers change at once in a large store. */
const cacheKiB = 16_384;

/**
 * One connection with a cache of prepared statements. The driver finalises a statement only when it is collected, and
 * until then the files stay open behind a closed connection; so what must close for good prepares none.
 */
export class SqliteConnection implements Db {
  readonly dialect = "sqlite";
  readonly recordedBefore = [];
  readonly q = sqliteBuilder;
  readonly raw: DatabaseSyncInstance;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(file: string, options: { readOnly?: boolean } = {}) {
    refuseUnsafeSqlite();
    this.raw = new DatabaseSync(file, { timeout: 10_000, readOnly: options.readOnly ?? false });
    this.raw.function(sumFunction, { deterministic: true }, sumOf);
    this.set("foreign_keys = on");
    this.set(`cache_size = -${cacheKiB}`);
  }

  get statementCount(): number {
    return this.#statements.size;
  }

  get isInTransaction(): boolean {
    return this.raw.isTransaction;
  }

  async all<O>(query: Query<O>): Promise<O[]> {
    const { sql, parameters } = query.compile();
    return this.#prepare(sql).all<O>(parameters);
  }

  async first<O>(query: Query<O>): Promise<O | undefined> {
    const { sql, parameters } = query.compile();
    return this.#prepare(sql).first<O>(parameters);
  }

  async run(query: Query<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return this.#prepare(sql).run(parameters);
  }

  async save(query: Query<unknown>): Promise<void> {
    if ((await this.run(query)) === 0) throw new Refusal("STALE", "The record changed meanwhile.");
  }

  async sql<O>(text: string, parameters: readonly unknown[] = []): Promise<O[]> {
    return this.#prepare(text).all<O>(parameters);
  }

  /** Transaction control: one of a handful of fixed texts, without parameters. */
  exec(text: string): void {
    this.#prepare(text).run([]);
  }

  set(setting: string): void {
    this.raw.exec(`pragma ${setting}`);
  }

  /** What is in the log and how much of it has reached the database file, in pages, before or after moving it there. */
  checkpoint(mode: "noop" | "passive"): { log: number; checkpointed: number } {
    const statement = this.#prepare(`pragma wal_checkpoint(${mode})`);
    return statement.first<{ log: number; checkpointed: number }>([]) ?? { log: 0, checkpointed: 0 };
  }

  /** Moves the whole log into the database file and empties it. */
  settleLog(): void {
    this.set("wal_checkpoint(truncate)");
  }

  /** Ends a transaction that has failed. Answers whether the connection can be used again. */
  abandon(): boolean {
    try {
      if (this.isInTransaction) this.raw.exec("rollback");
    } catch {
      return false;
    }
    return !this.isInTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.raw.close();
  }

  #prepare(text: string): SqliteStatement {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = new SqliteStatement(this.raw.prepare(text));
      if (this.#statements.size >= mostStatements) this.#statements.clear();
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

function refuseUnsafeSqlite(): void {
  sqliteVersion ??= readVersion();
  if (isSafeSqlite(sqliteVersion)) return;
  throw new Error(`SQLite ${sqliteVersion} can lose data; ${oldestSafeSqlite.join(".")} or later is needed`);
}

let sqliteVersion: string | undefined;

function readVersion(): string {
  const memory = new DatabaseSync(":memory:");
  const { version } = memory.prepare("select sqlite_version() as version").get() as { version: string };
  memory.close();
  return version;
}

export function isSafeSqlite(version: string): boolean {
  const parts = version.split(".").map(Number);
  const difference = oldestSafeSqlite.map((least, place) => (parts[place] ?? 0) - least).find((delta) => delta !== 0);
  return difference === undefined || difference > 0;
}
