import pg from "pg";
import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migration.ts";
import { Places } from "./places.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { explain, isConnectionLost, isRefusedByServer, unreachable } from "./postgres-failure.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { ScopedDb, untilAborted } from "./scoped-db.ts";
import type { Outcome, Store, StoreHooks, TransactOptions } from "./store.ts";

const migrationLock = 7_262_001;
const mostTransactions = 12;

/** Opens a shared store. Several server nodes may use one database; a `schema` parameter keeps installations apart. */
export async function openPostgres(url: string, hooks: StoreHooks, now: () => number): Promise<PostgresStore> {
  const address = readUrl(url);
  const pool = new pg.Pool({
    ...address.config,
    // One beyond the transactions, for notices.
    max: mostTransactions + 1,
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // A backend that dies must not end the process, whether it is idle, at work or on its way out of the pool.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const store = new PostgresStore(pool, address, hooks);
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
  readonly readOnlyReason = null;
  readonly #pool: pg.Pool;
  readonly #address: Address;
  readonly #hooks: StoreHooks;
  readonly #running = new Set<Promise<unknown>>();
  /** The pool has a queue too, but takes a long wait in it for a database that cannot be reached. */
  readonly #places = new Places(mostTransactions);
  #isClosed = false;

  constructor(pool: pg.Pool, address: Address, hooks: StoreHooks) {
    this.#pool = pool;
    this.#address = address;
    this.location = address.location;
    this.#hooks = hooks;
  }

  /** First start of several nodes at once: one migrates, the others wait for it. */
  async prepare(now: number): Promise<void> {
    const { schema } = this.#address;
    await this.sealing(async (db) => {
      await db.sql(`select pg_advisory_xact_lock(${migrationLock})`);
      if (schema !== "public") await db.sql(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
      await migrate(db, migrations, now);
    });
  }

  async read<T>(body: (db: Db) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    return this.#within({ isolation: "repeatable read read only", signal: options.signal, body, commit });
  }

  async transact<T>(body: (db: Db) => Promise<Outcome<T>>, options: TransactOptions = {}): Promise<T> {
    const { outcome, entries } = await this.#within({
      isolation: "repeatable read",
      signal: options.signal,
      commit: commitOrDoubt,
      body: async (db) => {
        const outcome = await body(db);
        this.#hooks.check(outcome.entries);
        return { outcome, entries: await this.#hooks.append(db, outcome.entries) };
      },
    });
    this.#hooks.committed(entries, outcome.entries);
    return outcome.value;
  }

  /** A transaction in which every statement sees what is committed by then; the ledger is sealed in it. */
  async sealing<T>(body: (db: Db) => Promise<T>): Promise<T> {
    return this.#within({ isolation: "read committed", signal: undefined, body, commit });
  }

  /** Tells every node that something was sealed. Outside the writing transactions: inside, it would serialise them. */
  async notify(): Promise<void> {
    await this.#pool.query("select pg_notify($1, '')", [this.#channel]);
  }

  /** Calls `onNotice` for every notice of any node. Answers a function that stops it. */
  async listen(onNotice: () => void): Promise<() => Promise<void>> {
    const listener = new PostgresListener(this.#address.config, this.#channel, onNotice);
    await listener.start();
    return () => listener.stop();
  }

  get #channel(): string {
    return `crewdeck_${this.#address.schema}`;
  }

  async backup(): Promise<void> {
    throw new Refusal(
      "CAPABILITY_MISSING",
      "A PostgreSQL store is not backed up by Crewdeck.",
      "Use pg_dump for the database and keep its output.",
    );
  }

  /** The pool forgets those who wait for a connection when it ends, so it ends after the last of them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    if (!this.#pool.ending) await this.#pool.end();
  }

  #within<T>(ask: Transaction<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Refusal("SERVER_UNREACHABLE", "The store is closed."));
    const running = this.#runInTurn(ask);
    this.#running.add(running);
    const forget = () => this.#running.delete(running);
    running.then(forget, forget);
    return running;
  }

  async #runInTurn<T>(ask: Transaction<T>): Promise<T> {
    const giveBack = await this.#places.take(ask.signal);
    try {
      return await this.#runTransaction(ask);
    } finally {
      giveBack();
    }
  }

  async #runTransaction<T>({ isolation, signal, body, commit }: Transaction<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw unreachable(error);
    });
    const db = new ScopedDb(new PostgresConnection(client));
    let isBroken = false;
    const onError = () => {
      isBroken = true;
    };
    client.on("error", onError);
    try {
      await client.query(`begin transaction isolation level ${isolation}`);
      const value = await untilAborted(body(db), signal);
      signal?.throwIfAborted();
      await commit(client);
      return value;
    } catch (error) {
      // An aborted operation may still be waiting for an answer on this connection.
      isBroken ||= signal?.aborted === true || isConnectionLost(error) || isInDoubt(error);
      if (!isBroken) await client.query("rollback").catch(onError);
      throw explain(error);
    } finally {
      db.end();
      client.off("error", onError);
      client.release(isBroken);
    }
  }
}

interface Transaction<T> {
  readonly isolation: "read committed" | "repeatable read" | "repeatable read read only";
  readonly signal: AbortSignal | undefined;
  readonly body: (db: Db) => Promise<T>;
  readonly commit: (client: pg.ClientBase) => Promise<void>;
}

async function commit(client: pg.ClientBase): Promise<void> {
  checkKept(await client.query("commit"));
}

/** A commit whose answer never came may have happened (4 of 14 in our measurements); say so instead of guessing. */
async function commitOrDoubt(client: pg.ClientBase): Promise<void> {
  const result = await client.query("commit").catch((error: unknown) => {
    if (isRefusedByServer(error)) throw error;
    throw new Refusal("OUTCOME_UNKNOWN", "The database failed while the change was being saved.");
  });
  checkKept(result);
}

/** PostgreSQL answers ROLLBACK, and no error, when a failure inside the transaction was swallowed. */
function checkKept({ command }: pg.QueryResult): void {
  if (command !== "COMMIT") throw new Error("the transaction had failed and was rolled back");
}

const isInDoubt = (error: unknown): boolean => error instanceof Refusal && error.code === "OUTCOME_UNKNOWN";

interface Address {
  readonly config: pg.ClientConfig;
  /** Without user and password. */
  readonly location: string;
  readonly schema: string;
}

function readUrl(url: string): Address {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get("schema") ?? "public";
  parsed.searchParams.delete("schema");
  return {
    config: {
      connectionString: parsed.toString(),
      options: `-c search_path=${pg.escapeIdentifier(schema).replaceAll(" ", "\\ ")}`,
    },
    location: `postgres://${parsed.host}${parsed.pathname}`,
    schema,
  };
}
