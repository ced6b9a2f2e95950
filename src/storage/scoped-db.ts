import { setImmediate as nextTurn } from "node:timers/promises";
import type { Db, Dialect, Query, Recorded } from "./db.ts";

/** SQLite answers at once, so an operation of thousands of statements would keep a whole server from its work (ST40). */
const longestTurnMs = 10;

/**
 * A Db for one operation, dead when the operation is. What a cancelled or careless operation still sends afterwards
 * would otherwise land in somebody else's transaction.
 */
export class ScopedDb implements Db {
  readonly dialect: Dialect;
  readonly q: Db["q"];
  readonly recordedBefore: readonly Recorded[];
  readonly #db: Db;
  readonly #isOpen: () => boolean;
  #isOver = false;
  #turnSince = performance.now();

  constructor(db: Db, isOpen: () => boolean = () => true, recordedBefore: readonly Recorded[] = []) {
    this.#db = db;
    this.#isOpen = isOpen;
    this.recordedBefore = recordedBefore;
    this.dialect = db.dialect;
    this.q = db.q;
  }

  end(): void {
    this.#isOver = true;
  }

  async all<O>(query: Query<O>): Promise<O[]> {
    if (this.#isLong()) await this.#letOthers();
    return this.#open().all(query);
  }

  async first<O>(query: Query<O>): Promise<O | undefined> {
    if (this.#isLong()) await this.#letOthers();
    return this.#open().first(query);
  }

  async run(query: Query<unknown>): Promise<number> {
    if (this.#isLong()) await this.#letOthers();
    return this.#open().run(query);
  }

  async save(query: Query<unknown>): Promise<void> {
    if (this.#isLong()) await this.#letOthers();
    return this.#open().save(query);
  }

  async sql<O>(text: string, parameters?: readonly unknown[]): Promise<O[]> {
    if (this.#isLong()) await this.#letOthers();
    return this.#open().sql<O>(text, parameters);
  }

  #isLong(): boolean {
    return this.dialect === "sqlite" && performance.now() - this.#turnSince > longestTurnMs;
  }

  async #letOthers(): Promise<void> {
    await nextTurn();
    this.#turnSince = performance.now();
  }

  #open(): Db {
    if (this.#isOver || !this.#isOpen()) throw new Error("the transaction of this operation is over");
    return this.#db;
  }
}

/** Waits for `work`, but no longer than until the signal aborts: an operation that hangs must not hold the store. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
