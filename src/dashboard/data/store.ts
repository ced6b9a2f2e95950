import { ApiFailure } from "./api.ts";
import type { LiveEvent } from "./event.ts";

/** Answered by a fold that cannot tell from the event alone what is true now. */
export const readAgain = Symbol("read again");

/** Something on screen: how it is read, and what an event does to it. */
export interface Reading<T> {
  /** The same key means the same data. */
  readonly key: string;
  load(signal: AbortSignal): Promise<T>;
  /**
   * Folds one event in. Must give the same result when an event is folded in twice, and answer the value itself when
   * nothing changes. Unknown kinds change nothing, so that old tabs survive upgrades.
   */
  applyEvent?(value: T, event: LiveEvent): T | typeof readAgain;
  /** Whether an event has consequences beside those the fold knows, so that after it everything is read once more. */
  goesFurther?(event: LiveEvent): boolean;
}

interface Snapshot<T> {
  readonly value: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
}

/** Events come in bursts; a list is read again at most this often, and one that takes long less often still. */
const leastBetweenReadsMs = 1_000;
const mostOfTime = 0.2;
const gatherMs = 60;
/** What nobody looks at any more is forgotten after this long. */
const keptUnseenMs = 60_000;

/** Everything the page knows. Events are folded in as they come; what a fold cannot tell is read again. */
export class Store {
  readonly #entries = new Map<string, Entry<unknown>>();
  #onSignedOut: () => void = () => undefined;

  whenSignedOut(act: () => void): void {
    this.#onSignedOut = act;
  }

  applyEvent(event: LiveEvent): void {
    for (const entry of this.#entries.values()) entry.applyEvent(event);
  }

  /** Everything is read anew: a gap means nothing cleverer. */
  reset(): void {
    for (const entry of this.#entries.values()) void entry.reload();
  }

  /** Nothing of what one person saw stays for the next. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.stop();
    this.#entries.clear();
  }

  /** After the link came back: what could not be read meanwhile is tried again. */
  retryFailed(): void {
    for (const entry of this.#entries.values()) if (entry.snapshot.failure) void entry.reload();
  }

  /** Settled once it was read, whether or not that went well. */
  async reload(key: string): Promise<void> {
    await this.#entries.get(key)?.reload();
  }

  /** Shows a change before the server has confirmed it; the next event or reading puts it right. */
  change<T>(reading: Reading<T>, act: (value: T) => T): void {
    this.#entryOf(reading).change(act);
  }

  subscribe<T>(reading: Reading<T>, listener: () => void): () => void {
    const entry = this.#entryOf(reading);
    entry.listeners.add(listener);
    entry.ensureLoaded();
    return () => {
      entry.listeners.delete(listener);
      setTimeout(() => {
        if (entry.listeners.size > 0 || this.#entries.get(reading.key) !== entry) return;
        entry.stop();
        this.#entries.delete(reading.key);
      }, keptUnseenMs);
    };
  }

  snapshot<T>(reading: Reading<T>): Snapshot<T> {
    return this.#entryOf(reading).snapshot;
  }

  #entryOf<T>(reading: Reading<T>): Entry<T> {
    const known = this.#entries.get(reading.key);
    if (known) return known as unknown as Entry<T>;
    const made = new Entry(reading, (failure) => failure.code === "UNAUTHORIZED" && this.#onSignedOut());
    this.#entries.set(reading.key, made as unknown as Entry<unknown>);
    return made;
  }
}

class Entry<T> {
  readonly listeners = new Set<() => void>();
  snapshot: Snapshot<T> = { value: undefined, failure: undefined, isLoading: true };
  readonly #reading: Reading<T>;
  readonly #onFailure: (failure: ApiFailure) => void;
  #loading: AbortController | undefined;
  /** What came in while the value was being read; some of it may be in the value already. */
  #meanwhile: LiveEvent[] = [];
  #lastReadAt = 0;
  #readTookMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(reading: Reading<T>, onFailure: (failure: ApiFailure) => void) {
    this.#reading = reading;
    this.#onFailure = onFailure;
  }

  ensureLoaded(): void {
    if (this.#lastReadAt === 0 && !this.#loading) void this.#load();
  }

  async reload(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lastReadAt > 0 || this.#loading) await this.#load();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#loading?.abort();
    this.#loading = undefined;
  }

  change(act: (value: T) => T): void {
    const { value } = this.snapshot;
    if (value !== undefined) this.#show({ ...this.snapshot, value: act(value) });
  }

  applyEvent(event: LiveEvent): void {
    if (!this.#reading.applyEvent) return;
    if (this.#loading) this.#meanwhile.push(event);
    const { value } = this.snapshot;
    if (value === undefined) return;
    const next = this.#reading.applyEvent(value, event);
    if (next === readAgain || this.#reading.goesFurther?.(event)) this.#readSoon();
    if (next !== readAgain && next !== value) this.#show({ ...this.snapshot, value: next });
  }

  #readSoon(): void {
    if (this.#timer !== undefined) return;
    const pauseMs = Math.max(leastBetweenReadsMs, this.#readTookMs / mostOfTime);
    const waitMs = Math.max(gatherMs, this.#lastReadAt + pauseMs - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#load();
    }, waitMs);
  }

  async #load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#meanwhile = [];
    this.#lastReadAt = Date.now();
    try {
      const value = await this.#reading.load(loading.signal);
      if (this.#loading !== loading) return;
      this.#loading = undefined;
      this.#readTookMs = Date.now() - this.#lastReadAt;
      this.#show({ value, failure: undefined, isLoading: false });
      for (const event of this.#meanwhile.splice(0)) this.applyEvent(event);
    } catch (error) {
      if (this.#loading !== loading) return;
      this.#loading = undefined;
      const failure = asFailure(error);
      this.#show({ ...this.snapshot, failure, isLoading: false });
      this.#onFailure(failure);
    }
  }

  #show(snapshot: Snapshot<T>): void {
    this.snapshot = snapshot;
    for (const listener of this.listeners) listener();
  }
}

export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  return new ApiFailure({
    code: "PAGE_FAULT",
    message: "This page crashed.",
    hint: "Reload it. If it fails again, check the browser’s console.",
  });
}
