import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { sqliteBuilder } from "./compile.ts";
import { bindable, type Db, type Query } from "./db.ts";

/** Below this release SQLite can lose committed pages when two connections checkpoint at once. */
const oldestSafeSqlite = [3, 51, 3] as const;
const mostStatements = 500;

/** One connection with a cache of prepared statements. */
export class SqliteConnection implements Db {
  readonly dialect = "sqlite";
  readonly q = sqliteBuilder;
  readonly raw: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();

  constructor(file: string, options: { readOnly?: boolean } = {}) {
    this.raw = new DatabaseSync(file, { timeout: 10_000, readOnly: options.readOnly ?? false });
    try {
      refuseUnsafeSqlite(this.raw);
      this.raw.exec("pragma foreign_keys = on");
    } catch (error) {
      this.raw.close();
      throw error;
    }
  }

  get statementCount(): number {
    return this.#statements.size;
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

  /** Transaction control: one of a handful of fixed texts, without parameters. */
  exec(text: string): void {
    this.#prepare(text).run();
  }

  /** Settings are not worth a place in the cache; many of them cannot be prepared twice. */
  pragma<Row>(text: string): Row | undefined {
    return this.raw.prepare(`pragma ${text}`).get() as Row | undefined;
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

  #prepare(text: string): StatementSyncInstance {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.raw.prepare(text);
      if (this.#statements.size >= mostStatements) this.#statements.clear();
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

function refuseUnsafeSqlite(raw: DatabaseSyncInstance): void {
  const { version } = raw.prepare("select sqlite_version() as version").get() as { version: string };
  if (!isSafeSqlite(version)) {
    throw new Error(`SQLite ${version} can lose data; ${oldestSafeSqlite.join(".")} or later is needed`);
  }
}

export function isSafeSqlite(version: string): boolean {
  const parts = version.split(".").map(Number);
  const difference = oldestSafeSqlite.map((least, place) => (parts[place] ?? 0) - least).find((delta) => delta !== 0);
  return difference === undefined || difference > 0;
}
