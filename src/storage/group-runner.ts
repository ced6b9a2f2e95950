import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";

export interface Job<T> {
  readonly body: (db: Db) => Promise<T>;
  readonly signal: AbortSignal | undefined;
  readonly kind: string | undefined;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

interface Waiting<T> {
  readonly job: Job<T>;
  /** From now on somebody else listens to its signal. */
  begin(): void;
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
  #waiting: Waiting<T>[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(runGroup: (jobs: readonly Job<T>[]) => Promise<void>, options: { gathers: boolean }) {
    this.#runGroup = runGroup;
    this.#gathers = options.gathers;
  }

  push(body: (db: Db) => Promise<T>, signal: AbortSignal | undefined, kind?: string): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Refusal("SERVER_UNREACHABLE", "The store is closed."));
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => this.#giveUp(waiting);
      const waiting: Waiting<T> = {
        job: { body, signal, kind, resolve, reject },
        begin: () => signal?.removeEventListener("abort", onAbort),
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#running ??= this.#run();
    });
  }

  /** Whoever gives up while waiting leaves at once; one that has begun is told by whoever runs it. */
  #giveUp(waiting: Waiting<T>): void {
    const place = this.#waiting.indexOf(waiting);
    if (place === -1) return;
    this.#waiting.splice(place, 1);
    waiting.job.reject(waiting.job.signal?.reason);
  }

  /** Takes nothing more; resolves when what was taken is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  #takeGroup(): Job<T>[] {
    return this.#waiting.splice(0, mostJobsInGroup).map(({ job, begin }) => {
      begin();
      return job;
    });
  }

  async #run(): Promise<void> {
    do {
      if (this.#gathers) await new Promise<void>((resolve) => setImmediate(resolve));
      const group = this.#takeGroup();
      if (group.length === 0) continue;
      try {
        await this.#runGroup(group);
      } catch (error) {
        for (const job of group) job.reject(error);
      }
    } while (this.#waiting.length > 0);
    this.#running = undefined;
  }
}
