import { setTimeout as pause } from "node:timers/promises";
import type { LedgerEntry } from "../../contract/event.ts";
import { listEntries, readHead } from "../../domain/ledger/queries.ts";
import { adoptEntries, sealEntries } from "../../domain/ledger/store.ts";
import type { PostgresStore } from "../../storage/postgres.ts";
import type { Log } from "../log.ts";

/** Writers are not slowed by a notice of their own; one for all of them goes out this often at most. */
const sealAfterMs = 5;
const sealAgainMs = 20;
const pollEveryMs = 1_000;
const pageSize = 500;
/** A transaction that somebody keeps open holds up sealing; a stopping server leaves the rest to the next one. */
const drainForMs = 2_000;

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
  #running: Promise<unknown> = Promise.resolve();
  #isOpen = false;

  constructor(store: PostgresStore, log: Log, publish: (entries: readonly LedgerEntry[]) => void) {
    this.#store = store;
    this.#log = log;
    this.#publish = publish;
  }

  async start(): Promise<void> {
    await this.#store.sealing(adoptEntries);
    await this.#store.sealing(sealEntries);
    this.#published = (await this.#store.read(readHead)).seq;
    this.#isOpen = true;
    this.#stopListening = await this.#store.listen(
      () => this.poke(0),
      () => void this.#heedDamage(),
    );
    this.#poll = setInterval(() => {
      this.poke(0);
      void this.#heedDamage();
    }, pollEveryMs);
    this.#poll.unref();
    this.poke(0);
  }

  /** Something was committed: seal soon. */
  poke(afterMs = sealAfterMs): void {
    if (!this.#isOpen) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#takeTurn();
    }, afterMs);
  }

  /** Seals and publishes what is committed by now, as far as others' open transactions allow. */
  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    const deadline = Date.now() + drainForMs;
    while ((await this.#takeTurn()) && Date.now() < deadline) await pause(sealAgainMs);
    await this.#stopListening();
  }

  /** One round after the other: two at once would publish the same entries twice. Answers whether more are waiting. */
  #takeTurn(): Promise<boolean> {
    const turn = this.#running.then(() => this.#round());
    this.#running = turn;
    return turn;
  }

  async #round(): Promise<boolean> {
    try {
      const { sealed, areMoreWaiting } = await this.#store.sealing(sealEntries);
      if (sealed.length > 0) await this.#store.notify();
      // What this node has sealed need not be read again, unless others have sealed something before it.
      if (sealed[0]?.seq === this.#published + 1) this.#tell(sealed);
      else await this.#publishSealed();
      if (areMoreWaiting) this.poke(sealAgainMs);
      return areMoreWaiting;
    } catch (error) {
      this.#log.warn({ err: error }, "sealing the ledger failed; it is tried again");
      return false;
    }
  }

  async #heedDamage(): Promise<void> {
    const problem = await this.#store.heedDamage().catch(() => null);
    if (problem !== null) this.#log.error({ problem }, "another node has found the store damaged: no changes any more");
  }

  async #publishSealed(): Promise<void> {
    for (;;) {
      const page = await this.#store.read((db) => listEntries(db, { after: this.#published, limit: pageSize }));
      this.#tell(page);
      if (page.length < pageSize) return;
    }
  }

  #tell(entries: readonly LedgerEntry[]): void {
    const last = entries.at(-1);
    if (!last) return;
    this.#published = last.seq;
    this.#publish(entries);
  }
}
