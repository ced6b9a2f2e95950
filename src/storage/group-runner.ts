import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";

export interface Job<T> {
  readonly body: (db: Db) => Promise<T>;
  readonly signal: AbortSignal | undefined;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** More than this in one transaction would keep the first caller waiting for the last. */
const mostJobsInGroup = 256;

/**
 * Gathers jobs while a group is under way and runs the next group when it is done. With `gathers`, a group starts only
 * after every socket that is ready has been read: without that pause the first request would run alone, because
 * promises settle before the next socket is looked at.
 */
export class GroupRunner<T> {
  readonly #runGroup: (jobs: readonly Job<T>[]) => Promise<void>;
  readonly #gathers: boolean;
  #waiting: Job<T>[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(runGroup: (jobs: readonly Job<T>[]) => Promise<void>, options: { gathers: boolean }) {
    this.#runGroup = runGroup;
    this.#gathers = options.gathers;
  }

  push(body: (db: Db) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Refusal("SERVER_UNREACHABLE", "The store is closed."));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ body, signal, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Takes nothing more; resolves when what was taken is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    do {
      if (this.#gathers) await new Promise<void>((resolve) => setImmediate(resolve));
      const group = this.#waiting.splice(0, mostJobsInGroup);
      try {
        await this.#runGroup(group);
      } catch (error) {
        for (const job of group) job.reject(error);
      }
    } while (this.#waiting.length > 0);
    this.#running = undefined;
  }
}
