import { setImmediate as nextTurn } from "node:timers/promises";
import type { LedgerEntry, Stream } from "../contract/event.ts";
import { Refusal } from "../contract/refusal.ts";
import { type EntryFilter, listEntries, readHead } from "../domain/ledger/queries.ts";
import type { Store } from "../storage/store.ts";
import type { Log } from "./log.ts";
import { Replays } from "./replays.ts";

interface Follower {
  /** Entries in order, each once. */
  receive(entries: readonly LedgerEntry[]): void;
  /** Resolves once it can take more of what is stored. */
  ready?(): Promise<void>;
}

interface FollowOptions {
  /** Whose turn it is to read what is stored. */
  readonly caller?: string;
  /** Ends the reading of what is stored; what follows is ended by the function that is returned. */
  readonly signal?: AbortSignal;
}

const pageSize = 500;
/** What is published while somebody still reads what is stored is stored too, and need not wait in memory. */
const mostWaiting = 5_000;

/**
 * Live reading of the ledger. A follower that starts at a place first gets what is stored after it, then what is
 * published, without a gap and without a repeat: entries that arrive meanwhile wait until the stored ones are through.
 */
export class Feed {
  readonly #store: Store;
  readonly #log: Log;
  readonly replays = new Replays();
  readonly #followers = new Set<LiveFollower>();

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  get followerCount(): number {
    return this.#followers.size;
  }

  /** Called after the commit: nobody must ever see what was rolled back. */
  publish(entries: readonly LedgerEntry[]): void {
    if (entries.length === 0) return;
    for (const follower of this.#followers) {
      try {
        follower.offer(entries);
      } catch (error) {
        // It can come back with its last cursor; the others must not miss anything for its sake.
        follower.stop();
        this.#followers.delete(follower);
        this.#log.warn({ err: error }, "a follower failed and was dropped");
      }
    }
  }

  /** Follows from just after `after`, or from now on. Returns a function that stops it. */
  async follow(after: number | undefined, follower: Follower, options: FollowOptions = {}): Promise<() => void> {
    const { caller, signal } = options;
    const endTurn = after === undefined || caller === undefined ? undefined : await this.replays.take(caller, signal);
    try {
      return await this.#follow(after, follower, signal);
    } finally {
      endTurn?.();
    }
  }

  async #follow(after: number | undefined, follower: Follower, signal: AbortSignal | undefined): Promise<() => void> {
    const live = new LiveFollower(follower);
    this.#followers.add(live);
    const stop = () => {
      live.stop();
      this.#followers.delete(live);
    };
    try {
      const head = await this.#store.read(readHead);
      if (after !== undefined && after > head.seq) throw beyondTheEnd();
      let place = after ?? head.seq;
      live.startAt(place);
      while (after !== undefined && !live.isStopped) {
        signal?.throwIfAborted();
        const page = await this.#store.read((db) => listEntries(db, { after: place, limit: pageSize }));
        live.deliver(page);
        place = page.at(-1)?.seq ?? place;
        if (page.length < pageSize && !live.takeMissed()) break;
        await follower.ready?.();
        await nextTurn();
      }
      live.goLive();
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** A page of stored entries of one stream. */
  async page(filter: EntryFilter & { stream: Stream }): Promise<LedgerEntry[]> {
    return this.#store.read((db) => listEntries(db, filter));
  }
}

/** As after the restore of an older backup: reading on in silence would miss everything up to that place. */
const beyondTheEnd = () =>
  new Refusal("INVALID_REQUEST", "That cursor is beyond the end of the ledger.", "Start without a cursor.");

class LiveFollower {
  readonly #follower: Follower;
  #last = 0;
  #waiting: LedgerEntry[] | null = [];
  #hasMissed = false;
  isStopped = false;

  constructor(follower: Follower) {
    this.#follower = follower;
  }

  startAt(seq: number): void {
    this.#last = seq;
  }

  offer(entries: readonly LedgerEntry[]): void {
    if (!this.#waiting) this.deliver(entries);
    else if (this.#waiting.length + entries.length > mostWaiting) {
      this.#waiting = [];
      this.#hasMissed = true;
    } else if (!this.#hasMissed) {
      this.#waiting.push(...entries);
    }
  }

  /** Whether something was published that has to be read from the store instead. */
  takeMissed(): boolean {
    const hasMissed = this.#hasMissed;
    this.#hasMissed = false;
    return hasMissed;
  }

  deliver(entries: readonly LedgerEntry[]): void {
    const fresh = entries.filter((entry) => entry.seq > this.#last);
    const last = fresh.at(-1);
    if (!last || this.isStopped) return;
    this.#last = last.seq;
    this.#follower.receive(fresh);
  }

  goLive(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.deliver(waiting);
  }

  stop(): void {
    this.isStopped = true;
  }
}
