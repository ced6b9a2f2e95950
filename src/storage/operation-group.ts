import type { LedgerEntry } from "../contract/event.ts";
import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";
import type { Job } from "./group-runner.ts";
import { type Change, GroupedDb, LeavesGroup } from "./grouped-db.ts";
import { joinSaves, type Statement } from "./joined-saves.ts";
import { ScopedDb, untilAborted } from "./scoped-db.ts";
import { SharedReads } from "./shared-reads.ts";
import type { Outcome, PendingEntry, StoreHooks } from "./store.ts";

type OperationJob = Job<Outcome<unknown>>;

interface Ready {
  readonly job: OperationJob;
  readonly outcome: Outcome<unknown>;
  readonly changes: readonly Change[];
}

/**
 * Operations that arrived together, in one transaction on PostgreSQL: they read side by side, their changes are sent in
 * one go, and one commit makes them durable. Each is decided on the same snapshot, as if all had transactions of their
 * own that began at the same moment. Where two of them meet, or one fails, nothing is kept and each runs by itself.
 */
export class OperationGroup {
  readonly #jobs: readonly OperationJob[];
  readonly #hooks: StoreHooks;
  readonly #onLeave: (job: OperationJob) => void;
  readonly #settled = new Set<OperationJob>();
  #ready: Ready[] = [];

  constructor(jobs: readonly OperationJob[], hooks: StoreHooks, onLeave: (job: OperationJob) => void) {
    this.#jobs = jobs;
    this.#hooks = hooks;
    this.#onLeave = onLeave;
  }

  get recorded(): PendingEntry[] {
    return this.#ready.flatMap(({ outcome }) => outcome.entries);
  }

  /** Everything up to the commit. */
  async run(db: Db): Promise<readonly LedgerEntry[]> {
    const savers = new Map<string, GroupedDb>();
    const reads = new SharedReads(db);
    const views = this.#jobs.map((job) => ({ job, grouped: new GroupedDb(db, reads, savers) }));
    const decided = await Promise.all(views.map(({ job, grouped }) => this.#decide(job, grouped)));
    const spoiled = views.find(({ grouped }) => grouped.failure !== undefined);
    if (spoiled) throw spoiled.grouped.failure;
    this.#ready = decided.filter((one) => one !== undefined);
    await Promise.all(joinSaves(this.#ready.flatMap(({ changes }) => changes)).map((one) => carryOut(db, one)));
    return this.#hooks.append(db, this.recorded);
  }

  /** After the commit. */
  answer(): void {
    for (const { job, outcome } of this.#ready) job.resolve(outcome);
  }

  /** After a failure that concerns all of them. */
  fail(error: unknown): void {
    for (const job of this.#undecided()) job.reject(error);
  }

  /** After a failure that one of them has brought about. */
  disband(): OperationJob[] {
    return this.#undecided();
  }

  #undecided(): OperationJob[] {
    return this.#jobs.filter((job) => !this.#settled.has(job));
  }

  /** Answers undefined when the operation has failed, and its caller knows, or has left. */
  async #decide(job: OperationJob, grouped: GroupedDb): Promise<Ready | undefined> {
    const db = new ScopedDb(grouped);
    try {
      job.signal?.throwIfAborted();
      const outcome = await untilAborted(job.body(db), job.signal);
      if (grouped.hasLeft) throw new LeavesGroup();
      this.#hooks.check(outcome.entries);
      return { job, outcome, changes: grouped.changes };
    } catch (error) {
      grouped.forget();
      // The transaction has failed with it, for everybody.
      if (grouped.failure !== undefined) return undefined;
      this.#settled.add(job);
      if (grouped.hasLeft) this.#onLeave(job);
      else job.reject(error);
      return undefined;
    } finally {
      db.end();
    }
  }
}

async function carryOut(db: Db, { query, rows }: Statement): Promise<void> {
  const count = await db.run({ compile: () => query });
  if (rows !== undefined && count !== rows) throw new Refusal("STALE", "The record changed meanwhile.");
}
