import { randomUUID } from "node:crypto";
import pg from "pg";
import { Refusal } from "../contract/refusal.ts";
import { findSharedDamage, forgetSharedDamage, noteSharedDamage, reasonOf, refuseDamaged } from "./damage.ts";
import type { Db } from "./db.ts";
import { GroupRunner, type Job } from "./group-runner.ts";
import { Loners } from "./loners.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migration.ts";
import { OperationGroup } from "./operation-group.ts";
import { Places } from "./places.ts";
import { gatherWrites, PostgresConnection } from "./postgres-connection.ts";
import { explain, isConnectionLost, isDamage, isRefusedByServer, unreachable } from "./postgres-failure.ts";
import { PostgresHolder } from "./postgres-holder.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { ScopedDb, untilAborted } from "./scoped-db.ts";
import type { Outcome, Store, StoreHooks, StoreOptions, TransactOptions } from "./store.ts";

const migrationLock = 7_262_001;
const damageNotice = "damage";
const mostTransactions = 12;
/** Members of a group that have to wait longer for somebody else's record do so by themselves, not at the cost of all. */
const longestLockMs = 500;
/** Statements are sent without waiting for the answers to those before; the driver's types do not know it yet. */
const pipelined = { pipeline: true };

/** Opens a shared store. Several server nodes may use one database; a `schema` parameter keeps installations apart. */
export async function openPostgres(
  url: string,
  hooks: StoreHooks,
  now: () => number,
  { acceptsDamage = false }: StoreOptions = {},
): Promise<PostgresStore> {
  const address = readUrl(url);
  const pool = new pg.Pool({
    ...address.config,
    // One beyond the transactions, for notices.
    max: mostTransactions + 1,
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    ...pipelined,
  });
  // A backend that dies must not end the process, whether it is idle, at work or on its way out of the pool.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const store = new PostgresStore(pool, address, hooks);
  try {
    if (acceptsDamage) await store.holdAlone();
    await store.prepare(now(), acceptsDamage);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

export class PostgresStore implements Store {
  readonly dialect = "postgres";
  readonly location: string;
  #damage: string | null = null;
  readonly #pool: pg.Pool;
  readonly #address: Address;
  readonly #hooks: StoreHooks;
  /** By which it knows its own notices. */
  readonly #name = randomUUID();
  readonly #running = new Set<Promise<unknown>>();
  /** The pool has a queue too, but takes a long wait in it for a database that cannot be reached. */
  readonly #places = new Places(mostTransactions);
  readonly #groups = new GroupRunner<Outcome<unknown>>((jobs) => this.#commitTogether(jobs), { gathers: true });
  readonly #loners = new Loners();
  #holder: PostgresHolder | undefined;
  #isClosed = false;

  constructor(pool: pg.Pool, address: Address, hooks: StoreHooks) {
    this.#pool = pool;
    this.#address = address;
    this.location = address.location;
    this.#hooks = hooks;
  }

  /** First start of several nodes at once: one migrates, the others wait for it. */
  async prepare(now: number, acceptsDamage: boolean): Promise<void> {
    const { schema } = this.#address;
    await this.sealing(async (db) => {
      await db.sql(`select pg_advisory_xact_lock(${migrationLock})`);
      if (schema !== "public") await db.sql(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
      await migrate(db, migrations, now);
      if (!acceptsDamage) this.#damage = await findSharedDamage(db);
    });
  }

  get readOnlyReason(): string | null {
    return this.#damage === null ? null : reasonOf(this.#damage);
  }

  async distrust(problem: string): Promise<void> {
    if (this.#damage !== null) return;
    this.#damage = problem;
    // Where not even that can be written, this node knows; the others look once a second, and sooner when they are told.
    await this.sealing((db) => noteSharedDamage(db, problem)).catch(() => undefined);
    await this.#tell(damageNotice).catch(() => undefined);
  }

  /** Looks whether another node has found damage; answers what, the first time. A node that knows stays read-only. */
  async heedDamage(): Promise<string | null> {
    if (this.#damage !== null || this.#isClosed) return null;
    this.#damage = await this.sealing(findSharedDamage);
    return this.#damage;
  }

  /** No node may work on a store whose damage is being accepted, and none can begin to until this one is closed. */
  async holdAlone(): Promise<void> {
    this.#holder = new PostgresHolder(this.#address.config, this.#address.schema);
    if (await this.#holder.take()) return;
    throw new Refusal(
      "INVALID_STATE",
      "Another server uses this database.",
      "Stop every server that uses it, then run the command again.",
    );
  }

  trust(): Promise<void> {
    return this.sealing(forgetSharedDamage);
  }

  async read<T>(body: (db: Db) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    this.#refuseWhenClosed();
    return this.#within({ isolation: "repeatable read read only", signal: options.signal, body, commit });
  }

  /** Operations that say what they do are committed together with others; see `OperationGroup`. */
  async transact<T>(body: (db: Db) => Promise<Outcome<T>>, { signal, kind }: TransactOptions = {}): Promise<T> {
    this.#refuseWhenClosed();
    if (this.#damage !== null) throw refuseDamaged(this.#damage);
    if (kind === undefined || this.#loners.has(kind)) return (await this.#commitAlone(body, signal)).value;
    const inGroup = (db: Db) => body(db) as Promise<Outcome<unknown>>;
    return (await this.#groups.push(inGroup, signal, kind)).value as T;
  }

  async #commitAlone<T>(body: (db: Db) => Promise<Outcome<T>>, signal: AbortSignal | undefined): Promise<Outcome<T>> {
    const { outcome, entries } = await this.#within({
      isolation: "repeatable read",
      signal,
      commit: commitOrDoubt,
      body: async (db) => {
        const outcome = await body(db);
        this.#hooks.check(outcome.entries);
        return { outcome, entries: await this.#hooks.append(db, outcome.entries) };
      },
    });
    this.#hooks.committed(entries, outcome.entries);
    return outcome;
  }

  /** Whoever cannot go along, or fails with the others, runs again from the start in a transaction of its own. */
  async #commitTogether(jobs: readonly Job<Outcome<unknown>>[]): Promise<void> {
    const goAlone = (job: Job<Outcome<unknown>>) =>
      void this.#commitAlone(job.body, job.signal).then(job.resolve, job.reject);
    const group = new OperationGroup(jobs, this.#hooks, (job) => {
      this.#loners.add(job.kind);
      goAlone(job);
    });
    try {
      const entries = await this.#within({
        isolation: "repeatable read",
        lockTimeoutMs: longestLockMs,
        signal: undefined,
        commit: commitOrDoubt,
        body: (db) => group.run(db),
      });
      this.#hooks.committed(entries, group.recorded);
      group.answer();
    } catch (error) {
      if (concernsAll(error)) group.fail(error);
      else for (const job of group.disband()) goAlone(job);
    }
  }

  /** A transaction in which every statement sees what is committed by then; the ledger is sealed in it. */
  async sealing<T>(body: (db: Db) => Promise<T>): Promise<T> {
    this.#refuseWhenClosed();
    return this.#within({ isolation: "read committed", signal: undefined, body, commit });
  }

  /** Tells every node that something was sealed. Outside the writing transactions: inside, it would serialise them. */
  notify(): Promise<void> {
    return this.#tell(this.#name);
  }

  async #tell(notice: string): Promise<void> {
    await this.#pool.query("select pg_notify($1, $2)", [this.#channel, notice]);
  }

  /** Calls `onNotice` for every notice of another node, and `onDamage` when one is about damage. Answers a function that stops it. */
  async listen(onNotice: () => void, onDamage: () => void): Promise<() => Promise<void>> {
    const listener = new PostgresListener(this.#address, this.#channel, (from) => {
      if (from === damageNotice) onDamage();
      else if (from !== this.#name) onNotice();
    });
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
    await this.#groups.close();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    if (!this.#pool.ending) await this.#pool.end();
    await this.#holder?.giveBack();
  }

  /** Asked on the way in, so that what was taken before can still be finished. */
  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new Refusal("SERVER_UNREACHABLE", "The store is closed.");
  }

  #within<T>(ask: Transaction<T>): Promise<T> {
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

  async #runTransaction<T>({ isolation, lockTimeoutMs, signal, body, commit }: Transaction<T>): Promise<T> {
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
      const begun = begin(client, isolation, lockTimeoutMs);
      const [value] = await Promise.all([untilAborted(body(db), signal), begun]);
      signal?.throwIfAborted();
      // What was never asked to be kept is in no doubt.
      if (isBroken) throw new Error("Connection terminated before the commit");
      await commit(client);
      return value;
    } catch (error) {
      // An aborted operation may still be waiting for an answer on this connection.
      isBroken ||= signal?.aborted === true || isConnectionLost(error) || isInDoubt(error);
      if (!isBroken) await client.query("rollback").catch(onError);
      if (isDamage(error)) {
        const problem = (error as Error).message;
        void this.distrust(problem);
        throw refuseDamaged(problem);
      }
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
  /** How long a statement may wait for a row that another transaction holds; as long as it takes unless said. */
  readonly lockTimeoutMs?: number;
  readonly signal: AbortSignal | undefined;
  readonly body: (db: Db) => Promise<T>;
  readonly commit: (client: pg.ClientBase) => Promise<void>;
}

/** Goes out together with the first statement of the body. */
function begin(client: pg.ClientBase, isolation: string, lockTimeoutMs: number | undefined): Promise<unknown> {
  gatherWrites(client);
  const limit = lockTimeoutMs === undefined ? "" : `; set local lock_timeout = ${lockTimeoutMs}`;
  return client.query(`begin transaction isolation level ${isolation}${limit}`);
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

/** No member of a group can have brought this about, and none can do better alone. */
const concernsAll = (error: unknown): boolean =>
  error instanceof Refusal &&
  ["OUTCOME_UNKNOWN", "SERVER_UNREACHABLE", "STORE_FULL", "STORE_READ_ONLY", "STORE_DAMAGED"].includes(error.code);

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
