import type { LedgerEntry } from "../contract/event.ts";
import { backupSqlite } from "./backup.ts";
import { forgetDamage, noteDamage, readDamageNote, reasonOf, refuseDamaged } from "./damage.ts";
import type { Db } from "./db.ts";
import { GroupRunner, type Job } from "./group-runner.ts";
import { migrations } from "./migrations/all.ts";
import { migrate, refuseOlderSchema } from "./migrations/migration.ts";
import { OpenedFile, refuseSecondName } from "./opened-file.ts";
import { createPrivateFile } from "./private-file.ts";
import { ScopedDb, untilAborted } from "./scoped-db.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { diagnose, isBusy, isDiskFull, isStoreFailure, readOnlyRefusal, StoreGoneError } from "./sqlite-failure.ts";
import type { Outcome, PendingEntry, Store, StoreHooks, StoreOptions, TransactOptions } from "./store.ts";
import { explainFile, refuseActingParts, refuseForeignFile, refuseOtherFormat } from "./store-file.ts";

/** Opens the embedded store. One process owns the file; `lock.ts` keeps it so. */
export async function openSqlite(
  file: string,
  hooks: StoreHooks,
  now: () => number,
  options: StoreOptions = {},
): Promise<Store> {
  createPrivateFile(file);
  refuseOtherFormat(file);
  refuseSecondName(file);
  const writer = connect(file);
  try {
    await refuseForeignFile(writer);
    await refuseActingParts(writer);
    setUpWriter(writer, options);
    const damage = options.acceptsDamage === true ? null : readDamageNote(file);
    // What an older Crewdeck has left damaged is not upgraded as if nothing had happened.
    if (damage === null) await migrateInTransaction(writer, now());
    else await refuseOlderSchema(writer, migrations);
    const reader = connect(file);
    reader.set("query_only = on");
    return new SqliteStore(file, { writer, reader, hooks }, damage);
  } catch (error) {
    writer.close();
    throw explainFile(error);
  }
}

function connect(file: string): SqliteConnection {
  try {
    return new SqliteConnection(file);
  } catch (error) {
    throw explainFile(error);
  }
}

function setUpWriter(writer: SqliteConnection, options: StoreOptions): void {
  writer.set("journal_mode = wal");
  writer.set(`synchronous = ${options.synchronous ?? "full"}`);
  // On macOS a plain fsync leaves the data in the drive's cache.
  writer.set("fullfsync = on");
  writer.set("journal_size_limit = 67108864");
  // An automatic checkpoint swallows a failed fsync and the next one would throw the log away; ours looks at it.
  writer.set("wal_autocheckpoint = 0");
  // What a savepoint may have to put back is kept here: pages of two operations would already go through a file.
  writer.set("temp_store = memory");
}

async function migrateInTransaction(writer: SqliteConnection, now: number): Promise<void> {
  writer.exec("begin immediate");
  try {
    await migrate(writer, migrations, now);
    writer.exec("commit");
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Pages in the log that are not yet in the database file. */
const checkpointAfterPages = 1_000;
/** To ask how long the log is costs as much as a statement: it is worth it after so many operations and entries. */
const lookAfter = 32;

interface Parts {
  readonly writer: SqliteConnection;
  readonly reader: SqliteConnection;
  readonly hooks: StoreHooks;
}

class SqliteStore implements Store {
  readonly dialect = "sqlite";
  readonly location: string;
  readOnlyReason: string | null = null;
  #damage: string | null;
  /** Operations and entries since somebody looked how long the log is. */
  #unseen = 0;
  readonly #parts: Parts;
  readonly #file: OpenedFile;
  readonly #writes = new GroupRunner<Outcome<unknown>>((jobs) => this.#commit(jobs), { gathers: true });
  readonly #reads = new GroupRunner<unknown>((jobs) => this.#snapshot(jobs), { gathers: false });

  constructor(file: string, parts: Parts, damage: string | null) {
    this.location = file;
    this.#file = new OpenedFile(file);
    this.#parts = parts;
    this.#damage = damage;
    if (damage !== null) this.readOnlyReason = reasonOf(damage);
  }

  async distrust(problem: string): Promise<void> {
    if (this.#damage !== null) return;
    this.#damage = problem;
    this.readOnlyReason ??= reasonOf(problem);
    noteDamage(this.location, problem);
  }

  async trust(): Promise<void> {
    forgetDamage(this.location);
  }

  async read<T>(body: (db: Db) => Promise<T>, options: TransactOptions = {}): Promise<T> {
    return (await this.#reads.push(body, options.signal)) as T;
  }

  async transact<T>(body: (db: Db) => Promise<Outcome<T>>, options: TransactOptions = {}): Promise<T> {
    const outcome = await this.#writes.push(body, options.signal);
    return outcome.value as T;
  }

  async backup(file: string): Promise<void> {
    await backupSqlite(this.location, file);
  }

  async close(): Promise<void> {
    await Promise.all([this.#writes.close(), this.#reads.close()]);
    const { reader, writer } = this.#parts;
    if (!writer.raw.isOpen) return;
    reader.close();
    if (this.readOnlyReason === null) settle(writer);
    writer.close();
  }

  /**
   * Group commit: the operations run one after the other as savepoints of one transaction and are answered together
   * after its single fsync. One that fails is rolled back alone.
   */
  async #commit(jobs: readonly Job<Outcome<unknown>>[]): Promise<void> {
    if (this.readOnlyReason !== null) {
      const refusal = this.#damage === null ? readOnlyRefusal(this.readOnlyReason) : refuseDamaged(this.#damage);
      for (const job of jobs) job.reject(refusal);
      return;
    }
    const { writer, hooks } = this.#parts;
    const done: { job: Job<Outcome<unknown>>; outcome: Outcome<unknown> }[] = [];
    const recorded: PendingEntry[] = [];
    let entries: readonly LedgerEntry[] = [];
    try {
      writer.exec("begin immediate");
      const boundary = jobs.length === 1 ? wholeTransaction : savepoint;
      for (const job of jobs) {
        const outcome = await this.#runAlone(job, recorded, boundary);
        if (!outcome) continue;
        done.push({ job, outcome });
        recorded.push(...outcome.entries);
      }
      if (done.length === 0 && !writer.isInTransaction) return;
      entries = await hooks.append(new ScopedDb(writer, () => writer.isInTransaction), recorded);
      writer.exec("commit");
      if (!this.#file.isInPlace()) throw new StoreGoneError();
    } catch (error) {
      const failure = this.#fail(error);
      for (const job of jobs) job.reject(failure);
      return;
    }
    for (const { job, outcome } of done) job.resolve(outcome);
    hooks.committed(entries, recorded);
    this.#unseen += done.length + recorded.length;
    if (this.#unseen >= lookAfter) await this.#checkpointWhenDue();
  }

  /** Answers undefined when the operation failed; its caller knows, and nothing of it is left. */
  async #runAlone(
    job: Job<Outcome<unknown>>,
    recordedBefore: readonly PendingEntry[],
    boundary: Boundary,
  ): Promise<Outcome<unknown> | undefined> {
    if (job.signal?.aborted) {
      job.reject(job.signal.reason);
      return undefined;
    }
    const { writer, hooks } = this.#parts;
    const db = new ScopedDb(writer, () => writer.isInTransaction, recordedBefore);
    for (const text of boundary.open) writer.exec(text);
    try {
      const outcome = await untilAborted(job.body(db), job.signal);
      hooks.check(outcome.entries);
      for (const text of boundary.keep) writer.exec(text);
      return outcome;
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      for (const text of boundary.undo) writer.exec(text);
      job.reject(error);
      return undefined;
    } finally {
      db.end();
    }
  }

  #fail(error: unknown): unknown {
    const { failure, readOnlyReason, damage } = diagnose(error);
    this.readOnlyReason ??= readOnlyReason;
    if (damage !== undefined) void this.distrust(damage);
    if (!this.#parts.writer.abandon()) this.readOnlyReason ??= "a failed transaction could not be ended";
    return failure;
  }

  /** Moves the log into the database file, after the answers have left. A full disk keeps it in the log for now. */
  async #checkpointWhenDue(): Promise<void> {
    this.#unseen = 0;
    const { writer } = this.#parts;
    const { log, checkpointed } = writer.checkpoint("noop");
    if (log - checkpointed < checkpointAfterPages) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    try {
      writer.checkpoint("passive");
    } catch (error) {
      if (!isDiskFull(error)) this.#fail(error);
    }
  }

  /** A read that meets damage is how most of it is found. */
  #explainRead(error: unknown): unknown {
    const { failure, damage } = diagnose(error);
    if (damage === undefined) return error;
    void this.distrust(damage);
    return failure;
  }

  async #snapshot(jobs: readonly Job<unknown>[]): Promise<void> {
    const { reader } = this.#parts;
    reader.exec("begin");
    try {
      for (const job of jobs) await readOne(reader, job, (error) => this.#explainRead(error));
    } finally {
      reader.abandon();
    }
  }
}

/** What is undone when an operation fails. */
interface Boundary {
  readonly open: readonly string[];
  readonly keep: readonly string[];
  readonly undo: readonly string[];
}

const savepoint: Boundary = {
  open: ["savepoint operation"],
  keep: ["release operation"],
  undo: ["rollback to operation", "release operation"],
};

/** An operation without company needs no savepoint, for which SQLite copies every page before it is changed. */
const wholeTransaction: Boundary = { open: [], keep: [], undo: ["rollback"] };

/** A closed store is one whole file. If the disk is full it stays two, and the next start reads both. */
function settle(writer: SqliteConnection): void {
  try {
    writer.settleLog();
  } catch (error) {
    if (!isStoreFailure(error) && !isBusy(error)) throw error;
  }
}

async function readOne(
  reader: SqliteConnection,
  job: Job<unknown>,
  explain: (error: unknown) => unknown,
): Promise<void> {
  const db = new ScopedDb(reader, () => reader.isInTransaction);
  try {
    job.signal?.throwIfAborted();
    job.resolve(await untilAborted(job.body(db), job.signal));
  } catch (error) {
    job.reject(explain(error));
  } finally {
    db.end();
  }
}
