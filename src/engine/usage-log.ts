import { setTimeout as pause } from "node:timers/promises";
import { errors } from "../contract/errors.ts";
import { Refusal } from "../contract/refusal.ts";
import { hasEntry } from "../domain/ledger/queries.ts";
import type { Db } from "../storage/db.ts";
import type { PendingEntry, Store } from "../storage/store.ts";
import type { Log } from "./log.ts";

/** Under this age the events of calls that changed nothing may still be in memory only (LG18). */
const writeBehindMs = 200;
const mostAtOnce = 500;
/** While the store cannot be written events wait here; beyond this many the oldest are given up, and it is logged. */
const mostWaiting = 20_000;
const tryAgainMs = 500;
const tryAgainAtMostMs = 60_000;
const waitForCallsMs = 5_000;

/** Keeps the usage of calls that changed nothing, and what they measured, and writes it in batches; a clean stop loses none. */
export class UsageLog {
  readonly #store: Store;
  readonly #log: Log;
  readonly #calls = new Set<Promise<unknown>>();
  #waiting: PendingEntry[] = [];
  /** Calls whose event may already be in the ledger: what saved it failed without saying whether it was kept. */
  readonly #inDoubt = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #tryAgainMs = tryAgainMs;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** A stop waits for these calls: each of them still has its event to leave. */
  during<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    const forget = () => this.#calls.delete(call);
    call.then(forget, forget);
    return call;
  }

  add(entry: PendingEntry): void {
    if (entry.data["code"] === "OUTCOME_UNKNOWN") this.#inDoubt.add(callOf(entry));
    this.#waiting.push(entry);
    if (this.#waiting.length % mostAtOnce === 0) void this.flush();
    else this.#schedule(writeBehindMs);
  }

  /** Writes what is waiting; later calls wait for earlier ones. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Waits until the calls under way are answered, but not for long. */
  async settle(limitMs: number): Promise<void> {
    await Promise.race([Promise.allSettled(this.#calls), pause(limitMs, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    await this.settle(waitForCallsMs);
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#giveUp(this.#waiting.length, undefined);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostAtOnce);
      try {
        await this.#store.transact(async (db) => ({ value: undefined, entries: await this.#leaveOutKnown(db, batch) }));
        for (const entry of batch) this.#inDoubt.delete(callOf(entry));
        this.#tryAgainMs = tryAgainMs;
      } catch (error) {
        this.#waiting.unshift(...batch);
        if (!isPassing(error)) this.#giveUp(batch.length, error);
        else return this.#tryLater(batch, error);
      }
    }
  }

  #tryLater(batch: readonly PendingEntry[], error: Refusal): void {
    this.#log.warn({ err: error, waiting: this.#waiting.length }, "usage events could not be written yet");
    if (error.code === "OUTCOME_UNKNOWN") for (const entry of batch) this.#inDoubt.add(callOf(entry));
    if (this.#waiting.length > mostWaiting) this.#giveUp(this.#waiting.length - mostWaiting, error);
    this.#schedule(this.#tryAgainMs);
    this.#tryAgainMs = Math.min(this.#tryAgainMs * 2, tryAgainAtMostMs);
  }

  async #leaveOutKnown(db: Db, batch: readonly PendingEntry[]): Promise<PendingEntry[]> {
    const fresh: PendingEntry[] = [];
    for (const entry of batch) {
      const isKnown = this.#inDoubt.has(callOf(entry)) && (await hasEntry(db, "usage", callOf(entry)));
      if (!isKnown) fresh.push(entry);
    }
    return fresh;
  }

  #giveUp(count: number, error: unknown): void {
    for (const entry of this.#waiting.splice(0, count)) this.#inDoubt.delete(callOf(entry));
    this.#log.error({ err: error, lost: count }, "usage events were lost");
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), afterMs);
  }
}

/** What was measured on the way is kept or lost with the usage of its call, which has the call's id. */
const callOf = ({ callId, subject }: PendingEntry): string => callId ?? subject;

/** Failures of the store that may be over when it is tried again. */
const isPassing = (error: unknown): error is Refusal =>
  error instanceof Refusal && errors[error.code].kind === "unavailable";
