import type { LedgerEntry } from "../contract/event.ts";
import { listEntries, readHead, sealEntries } from "../domain/ledger/store.ts";
import type { PostgresStore } from "../storage/postgres.ts";
import type { Log } from "./log.ts";

/** Writers are not slowed by a notice of their own; one for all of them goes out this often at most. */
const sealAfterMs = 5;
const sealAgainMs = 20;
const pollEveryMs = 1_000;
const pageSize = 500;

/**
 * On PostgreSQL the ledger is written behind the writers: this gives waiting entries their places and hands what is
 * sealed, by this node or another, to the feed in order. Nothing depends on notices arriving; they only make it fast.
 */
export class Sealer {
  readonly #store: PostgresStore;
  readonly #log: Log;
  readonly #publish: (entries: readonly LedgerEntry[]) => void;
  #published = 0;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #stopListening: () => Promise<void> = async () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(store: PostgresStore, log: Log, publish: (entries: readonly LedgerEntry[]) => void) {
    this.#store = store;
    this.#log = log;
    this.#publish = publish;
  }

  async start(): Promise<void> {
    await this.drain();
    this.#published = (await this.#store.read(readHead)).seq;
    this.#stopListening = await this.#store.listen(() => this.poke(0));
    this.#poll = setInterval(() => this.poke(0), pollEveryMs);
    this.#poll.unref();
  }

  /** Something was committed: seal soon. */
  poke(afterMs = sealAfterMs): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#running.then(() => this.#round());
    }, afterMs);
  }

  /** Seals and publishes everything that is committed by now. */
  async drain(): Promise<void> {
    while (await this.#seal());
    await this.#publishSealed();
  }

  async close(): Promise<void> {
    await this.drain().catch(() => undefined);
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    await this.#running;
    await this.#stopListening();
  }

  async #round(): Promise<void> {
    try {
      const areMoreWaiting = await this.#seal();
      await this.#publishSealed();
      if (areMoreWaiting) this.poke(sealAgainMs);
    } catch (error) {
      if (!this.#isClosed) this.#log.warn({ err: error }, "sealing the ledger failed; it is tried again");
    }
  }

  async #seal(): Promise<boolean> {
    const { sealed, areMoreWaiting } = await this.#store.sealing(sealEntries);
    if (sealed.length > 0) await this.#store.notify();
    return areMoreWaiting;
  }

  async #publishSealed(): Promise<void> {
    for (;;) {
      const page = await this.#store.read((db) => listEntries(db, { after: this.#published, limit: pageSize }));
      const last = page.at(-1);
      if (!last) return;
      this.#published = last.seq;
      this.#publish(page);
    }
  }
}
