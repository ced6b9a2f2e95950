import { createHash } from "node:crypto";
import pg from "pg";
import { Refusal } from "../contract/refusal.ts";
import { postgresBuilder } from "./compile.ts";
import { bindable, type Db, type Query } from "./db.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migration.ts";
import type { Outcome, Store, StoreHooks, TransactOptions } from "./store.ts";

/** Counts and times fit a double; read them as numbers, once, here. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const migrationLock = 7_262_001;

/** Opens a shared store. Several server nodes may use one database; a `schema` parameter keeps installations apart. */
export async function openPostgres(url: string, hooks: StoreHooks, now: () => number): Promise<PostgresStore> {
  const { config, location, schema } = readUrl(url);
  const pool = new pg.Pool({ ...config, max: 12, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 60_000 });
  // An idle backend that dies (restart, termination) must not end the process; the next query takes a new one.
  pool.on("error", () => undefined);
  const store = new PostgresStore(pool, config, location, schema, hooks);
  try {
    await store.prepare(now());
  } catch (error) {
    await pool.end();
    throw error;
  }
  return store;
}

export class PostgresStore implements Store {
  readonly dialect = "postgres";
  readonly location: string;
  readonly #schema: string;
  readonly readOnlyReason = null;
  readonly #pool: pg.Pool;
  readonly #clientConfig: pg.ClientConfig;
  readonly #hooks: StoreHooks;

  constructor(pool: pg.Pool, clientConfig: pg.ClientConfig, location: string, schema: string, hooks: StoreHooks) {
    this.#pool = pool;
    this.#clientConfig = clientConfig;
    this.location = location;
    this.#schema = schema;
    this.#hooks = hooks;
  }

  /** First start of several nodes at once: one migrates, the others wait for it. */
  async prepare(now: number): Promise<void> {
    await this.#withClient(async (client) => {
      const db = new PostgresConnection(client);
      await client.query("begin");
      await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
      if (this.#schema !== "public") {
        await client.query(`create schema if not exists ${pg.escapeIdentifier(this.#schema)}`);
      }
      await migrate(db, migrations, now);
      await client.query("commit");
    });
  }

  async read<T>(body: (db: Db) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      await client.query("begin transaction isolation level repeatable read read only");
      const value = await body(new PostgresConnection(client));
      await client.query("commit");
      return value;
    });
  }

  async transact<T>(body: (db: Db) => Promise<Outcome<T>>, options: TransactOptions = {}): Promise<T> {
    options.signal?.throwIfAborted();
    return this.#withClient(async (client) => {
      const db = new PostgresConnection(client);
      await client.query("begin transaction isolation level repeatable read");
      const outcome = await body(db);
      options.signal?.throwIfAborted();
      const entries = await this.#hooks.append(db, outcome.entries);
      await commit(client);
      this.#hooks.committed(entries);
      return outcome.value;
    });
  }

  /** A transaction in which every statement sees what is committed by then; the ledger is sealed in it. */
  async sealing<T>(body: (db: Db) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      await client.query("begin transaction isolation level read committed");
      const value = await body(new PostgresConnection(client));
      await client.query("commit");
      return value;
    });
  }

  /** Tells every node that something was sealed. Outside the writing transactions: inside, it would serialise them. */
  async notify(): Promise<void> {
    await this.#pool.query("select pg_notify($1, '')", [this.#channel]);
  }

  /** Calls `onNotice` for every notice of any node, over a connection of its own that is renewed when it is lost. */
  async listen(onNotice: () => void): Promise<() => Promise<void>> {
    let client: pg.Client | undefined;
    let isStopped = false;
    const connect = async (): Promise<void> => {
      const fresh = new pg.Client(this.#clientConfig);
      const renew = () => {
        if (client !== fresh || isStopped) return;
        client = undefined;
        setTimeout(() => void connect(), 500).unref();
      };
      client = fresh;
      fresh.on("error", renew);
      fresh.on("end", renew);
      fresh.on("notification", onNotice);
      try {
        await fresh.connect();
        await fresh.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
      } catch {
        renew();
      }
    };
    await connect();
    return async () => {
      isStopped = true;
      await client?.end().catch(() => undefined);
    };
  }

  get #channel(): string {
    return `crewdeck_${this.#schema}`;
  }

  async backup(): Promise<void> {
    throw new Refusal(
      "CAPABILITY_MISSING",
      "A PostgreSQL store is not backed up by Crewdeck.",
      "Use pg_dump for the database and keep its output.",
    );
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new Refusal("SERVER_UNREACHABLE", "The database cannot be reached.", "Check that PostgreSQL runs.", {
        reason: (error as { code?: string }).code ?? "unknown",
      });
    });
    let isBroken = false;
    // Without a listener a backend that is terminated between two statements would end the process.
    const onError = () => {
      isBroken = true;
    };
    client.on("error", onError);
    try {
      return await use(client);
    } catch (error) {
      isBroken ||= isConnectionLost(error);
      if (!isBroken) await client.query("rollback").catch(() => onError());
      throw isLostRace(error) ? new Refusal("STALE", "The record changed meanwhile.") : asUnavailable(error);
    } finally {
      client.off("error", onError);
      client.release(isBroken);
    }
  }
}

/** A commit whose answer never came may have happened (4 of 14 in our measurements); say so instead of guessing. */
async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("commit");
  } catch (error) {
    if (isLostRace(error)) throw error;
    throw new Refusal("OUTCOME_UNKNOWN", "The database failed while the change was being saved.");
  }
}

class PostgresConnection implements Db {
  readonly dialect = "postgres";
  readonly q = postgresBuilder;
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async all<O>(query: Query<O>): Promise<O[]> {
    const { sql, parameters } = query.compile();
    return (await this.#query(sql, parameters)).rows as O[];
  }

  async first<O>(query: Query<O>): Promise<O | undefined> {
    return (await this.all(query))[0];
  }

  async run(query: Query<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return (await this.#query(sql, parameters)).rowCount ?? 0;
  }

  async sql<O>(text: string, parameters: readonly unknown[] = []): Promise<O[]> {
    return (await this.#query(text, parameters)).rows as O[];
  }

  /** Named statements are planned once for each connection. */
  #query(text: string, parameters: readonly unknown[]) {
    return this.#client.query({ name: statementName(text), text, values: parameters.map(bindable) });
  }
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = createHash("sha1").update(text).digest("hex");
    if (statementNames.size > 2_000) statementNames.clear();
    statementNames.set(text, name);
  }
  return name;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** Serialization failure, deadlock, and a unique key that someone else took first. */
const isLostRace = (error: unknown): boolean => ["40001", "40P01", "23505"].includes(codeOf(error));

const isConnectionLost = (error: unknown): boolean =>
  /^(08|57P0)/.test(codeOf(error)) ||
  ["ECONNRESET", "ECONNREFUSED", "EPIPE"].includes(codeOf(error)) ||
  (error instanceof Error && /Connection terminated/.test(error.message)) ||
  (error instanceof Refusal && error.code === "OUTCOME_UNKNOWN");

/** Before the commit nothing was kept, so a lost connection is simply "try again". */
const asUnavailable = (error: unknown): unknown =>
  !(error instanceof Refusal) && isConnectionLost(error)
    ? new Refusal("SERVER_UNREACHABLE", "The database connection was lost; nothing was changed.", "Call again.")
    : error;

function readUrl(url: string): { config: pg.PoolConfig; location: string; schema: string } {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get("schema") ?? "public";
  parsed.searchParams.delete("schema");
  const location = `postgres://${parsed.host}${parsed.pathname}`;
  return {
    config: {
      connectionString: parsed.toString(),
      options: `-c search_path=${pg.escapeIdentifier(schema).replaceAll(" ", "\\ ")}`,
    },
    location,
    schema,
  };
}
