import type { LedgerEntry } from "../../contract/event.ts";
import { keysOfEvent } from "../../domain/context/news-rules.ts";
import type { ContextPorts, Ear, Roused } from "../../domain/context/port.ts";
import { noteHeard } from "../../domain/context/wait-operations.ts";
import type { Store } from "../../storage/store.ts";
import type { Presence } from "../presence.ts";
import type { Sources } from "../sources.ts";
import { transactAsSystem } from "../system-work.ts";
import type { Keeper } from "./keepers.ts";

/** Well below the shortest time that a client waits for a sign. */
const tellEveryMs = 10_000;
/** In a busy workflow much is committed that may concern somebody and does not: nobody looks more often than this. */
const lookEveryMs = 200;

interface Parts {
  readonly store: Store;
  readonly presence: Presence;
  readonly sources: Sources;
}

type ListenAsk = Parameters<ContextPorts["listen"]>[0];

/**
 * Those who wait for something that concerns them. They are found by what they listen to, so that a commit costs the
 * same whether nobody waits or a thousand do, and whoever waits costs a timer.
 */
export class WaitingRoom implements Keeper {
  readonly #parts: Parts;
  readonly #listening = new Map<string, Set<Waiter>>();
  readonly #waiters = new Set<Waiter>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#waiters.size;
  }

  /** Ends every wait with where it was; nobody waits here any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiters) waiter.end("stopping");
  }

  listen(ask: ListenAsk): Ear {
    const waiter = new Waiter(ask, this.#listening);
    const { presence } = this.#parts;
    // Not heard as a client at its other end: the same agent may register again elsewhere meanwhile and stays itself.
    const open = ask.agentId === null ? undefined : presence.open({ isHeard: () => false });
    if (open && ask.agentId !== null) presence.called(ask.agentId, ask.developerId, open);
    this.#waiters.add(waiter);
    if (this.#isClosed) waiter.end("stopping");
    waiter.onClose = () => {
      this.#waiters.delete(waiter);
      open?.close();
    };
    return waiter;
  }

  keepHeard(ask: Parameters<ContextPorts["keepHeard"]>[0]): Promise<void> {
    const { store, sources } = this.#parts;
    return transactAsSystem(store, sources, (work) => noteHeard(work, ask));
  }

  /** What has found its place in the ledger, here or on another node. */
  heed(entries: readonly LedgerEntry[]): void {
    if (this.#waiters.size === 0) return;
    for (const entry of entries) {
      for (const key of keysOfEvent(entry)) for (const waiter of this.#listening.get(key) ?? []) waiter.rouse();
    }
  }
}

class Waiter implements Ear {
  readonly #listening: Map<string, Set<Waiter>>;
  readonly #signal: AbortSignal;
  readonly #startedAt = performance.now();
  readonly #timers: NodeJS.Timeout[] = [];
  #keys: readonly string[] = [];
  #isRoused = false;
  #ended: Exclude<Roused, "event"> | undefined;
  #wake: () => void = () => undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  onClose: () => void = () => undefined;

  constructor({ limitMs, signal, progress }: ListenAsk, listening: Map<string, Set<Waiter>>) {
    this.#listening = listening;
    this.#signal = signal;
    this.#timers.push(setTimeout(() => this.end("timeout"), limitMs));
    if (progress) this.#timers.push(setInterval(() => progress(Math.round(this.waitedMs / 1_000)), tellEveryMs));
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  get waitedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  attend(keys: readonly string[]): void {
    this.#leave();
    this.#keys = keys;
    for (const key of keys) {
      const there = this.#listening.get(key) ?? new Set();
      this.#listening.set(key, there.add(this));
    }
  }

  async sleep(): Promise<Roused> {
    while (!this.#isRoused && this.#ended === undefined && !this.#signal.aborted) await this.#nextWake();
    const earlyMs = this.#lookedAt + lookEveryMs - performance.now();
    if (this.#ended === undefined && earlyMs > 0) await this.#nextWake(earlyMs);
    this.#signal.throwIfAborted();
    if (this.#ended !== undefined) return this.#ended;
    this.#isRoused = false;
    this.#lookedAt = performance.now();
    return "event";
  }

  rouse(): void {
    if (this.#isRoused) return;
    this.#isRoused = true;
    this.#wake();
  }

  end(why: Exclude<Roused, "event">): void {
    this.#ended ??= why;
    this.#wake();
  }

  close(): void {
    this.#leave();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.onClose();
  }

  readonly #onAbort = (): void => this.#wake();

  /** Until something happens to this waiter, or the time is over. */
  #nextWake(limitMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = limitMs === undefined ? undefined : setTimeout(resolve, limitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #leave(): void {
    for (const key of this.#keys) {
      const there = this.#listening.get(key);
      there?.delete(this);
      if (there?.size === 0) this.#listening.delete(key);
    }
    this.#keys = [];
  }
}
