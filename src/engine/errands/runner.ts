import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../contract/refusal.ts";
import type { AnyErrandKind, AnyHand, ErrandAsk, Turn } from "../../domain/errand.ts";
import type { SystemWork } from "../../domain/work.ts";
import { untilAborted } from "../../storage/scoped-db.ts";
import type { Store } from "../../storage/store.ts";
import type { Log } from "../log.ts";
import { placeOf, type Sources } from "../sources.ts";
import { transactAsSystem } from "../system-work.ts";
import { failureOf, isPassing, isTriedAgain, pauseAfter } from "./failure.ts";
import {
  type Errand,
  type ErrandChange,
  getErrand,
  hasUnfinished,
  listDueErrands,
  returnInterrupted,
  saveErrand,
} from "./store.ts";

/** Outside work under way at the same time. */
const mostAtOnce = 4;
const lookEveryMs = 1_000;
/** A stop waits this long for work under way; what is then cut off is taken up again by the next start. */
const finishWithinMs = 2_000;
const recordAgainMs = 200;
const recordAgainAtMostMs = 30_000;

/** Kinds of work that share a number of places. */
interface Lane {
  readonly kinds: readonly string[];
  readonly most: number;
}

/** A kind that says how many of it may run has places of its own, so that long work never holds up short. */
const lanesOf = (kinds: readonly AnyErrandKind[]): Lane[] =>
  [
    { kinds: kinds.filter((kind) => kind.mostAtOnce === undefined).map(({ name }) => name), most: mostAtOnce },
    ...kinds.flatMap(({ name, mostAtOnce: most }) => (most === undefined ? [] : [{ kinds: [name], most }])),
  ].filter(({ kinds: own }) => own.length > 0);

interface Running {
  readonly kind: string;
  readonly developerId: string | null;
  readonly end: Promise<void>;
}

/** Of several places a developer has half: whoever's work hangs holds up nobody else's. */
const shareOf = (most: number): number => Math.ceil(most / 2);

interface RunnerParts {
  readonly store: Store;
  readonly sources: Sources;
  readonly log: Log;
  readonly kinds: readonly AnyErrandKind[];
  /** By the name of the kind. Work of a kind that has no hand here is left for a server that has one. */
  readonly hands: Readonly<Record<string, AnyHand>>;
}

/**
 * Does outside work after the commit that asked for it, and brings each result home in one transaction. What a crash
 * interrupts is begun again at the next start; results are recorded once, because recording needs the row's version.
 */
export class ErrandRunner {
  readonly #parts: RunnerParts;
  readonly #place: string;
  readonly #kinds: ReadonlyMap<string, AnyErrandKind>;
  readonly #lanes: readonly Lane[];
  readonly #running = new Map<string, Running>();
  readonly #closing = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  #isTurnWaiting = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #news = new EventEmitter().setMaxListeners(0);

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#place = placeOf(parts.sources);
    this.#kinds = new Map(parts.kinds.filter(({ name }) => parts.hands[name]).map((kind) => [kind.name, kind]));
    this.#lanes = lanesOf([...this.#kinds.values()]);
  }

  /** Takes up what a crash has left and, unless the clock is moved by hand, looks for due work by itself. */
  async start(options: { readonly looksByItself: boolean }): Promise<void> {
    if (this.#kinds.size === 0) return;
    const { store, sources, log } = this.#parts;
    const count = await transactAsSystem(store, sources, (work) => returnInterrupted(work.db, this.#place, work.now));
    if (count > 0) log.info({ count }, "outside work that was interrupted is started again");
    if (options.looksByItself) {
      this.#timer = setInterval(() => this.poke(), lookEveryMs);
      this.#timer.unref();
    }
    this.poke();
  }

  /** Something may be due. */
  poke(): void {
    if (this.#kinds.size === 0 || this.#isTurnWaiting || this.#closing.signal.aborted) return;
    this.#isTurnWaiting = true;
    this.#turn = this.#turn.then(() => this.#takeDue());
  }

  /** Whether this server will do it. */
  canDo(ask: ErrandAsk): boolean {
    return this.#kinds.has(ask.do) && (ask.place ?? this.#place) === this.#place;
  }

  /** Waits until no outside work on these records is unfinished, but not longer than the limit. Answers whether so. */
  async whenQuiet(subjects: readonly string[], limitMs: number, signal: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const leftMs = Math.max(0, deadline - performance.now());
      // Another server's work makes no news here, so the wait is cut into pieces.
      const piece = AbortSignal.timeout(Math.ceil(Math.min(leftMs, lookEveryMs)));
      const news = once(this.#news, "settled", {
        signal: AbortSignal.any([piece, signal, this.#closing.signal]),
      }).catch(() => undefined);
      if (!(await this.#parts.store.read((db) => hasUnfinished(db, subjects)))) return true;
      if (leftMs === 0 || signal.aborted || this.#closing.signal.aborted) return false;
      await news;
    }
  }

  /** Does everything that is due by now, and what follows from it. */
  async settle(): Promise<void> {
    do {
      this.poke();
      await this.#turn;
      await Promise.all([...this.#running.values()].map(({ end }) => end));
    } while (this.#running.size > 0 || (await this.#countDue()) > 0);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const finished = this.#turn.then(() => Promise.all([...this.#running.values()].map(({ end }) => end)));
    await Promise.race([finished, pause(finishWithinMs, undefined, { ref: false })]);
    this.#closing.abort(new Refusal("SERVER_UNREACHABLE", "The server is being stopped."));
    await finished;
  }

  async #countDue(kinds: readonly string[] = [...this.#kinds.keys()]): Promise<number> {
    if (kinds.length === 0 || this.#closing.signal.aborted) return 0;
    const due = { place: this.#place, kinds, now: this.#parts.sources.now(), limit: 1 };
    return (await this.#parts.store.read((db) => listDueErrands(db, due))).length;
  }

  async #takeDue(): Promise<void> {
    this.#isTurnWaiting = false;
    const { store, sources, log } = this.#parts;
    try {
      for (const lane of this.#lanes) {
        const isFull = this.#runningIn(lane).length >= lane.most;
        if (isFull || (await this.#countDue(lane.kinds)) === 0) continue;
        const taken = await transactAsSystem(store, sources, (work) => this.#take(work, lane));
        for (const errand of taken) this.#begin(errand);
      }
    } catch (error) {
      log.warn({ err: error }, "outside work could not be taken up yet");
    }
  }

  #runningIn({ kinds }: Lane): Running[] {
    return [...this.#running.values()].filter(({ kind }) => kinds.includes(kind));
  }

  /** The oldest work, but of no developer more than their share. */
  async #take({ db, now }: SystemWork, lane: Lane): Promise<Errand[]> {
    const running = this.#runningIn(lane);
    const limit = lane.most - running.length;
    const held = new Map<string | null, number>();
    for (const { developerId } of running) held.set(developerId, (held.get(developerId) ?? 0) + 1);
    const taken: Errand[] = [];
    for (let isMore = true; isMore && taken.length < limit; ) {
      const full = [...held].flatMap(([id, count]) => (id !== null && count >= shareOf(lane.most) ? [id] : []));
      const ask = { place: this.#place, kinds: lane.kinds, now, limit: limit - taken.length, except: full };
      const due = await listDueErrands(db, ask);
      isMore = due.length > 0;
      for (const errand of due) {
        const count = held.get(errand.developerId) ?? 0;
        if (errand.developerId !== null && count >= shareOf(lane.most)) continue;
        held.set(errand.developerId, count + 1);
        await saveErrand(db, errand, { status: "running", attempts: errand.attempts + 1, updatedAt: now });
        taken.push({ ...errand, attempts: errand.attempts + 1, version: errand.version + 1 });
      }
    }
    return taken;
  }

  #begin(errand: Errand): void {
    const end = this.#perform(errand)
      .catch((error: unknown) => this.#parts.log.error({ err: error, errand: errand.id }, "outside work failed"))
      .finally(() => {
        this.#running.delete(errand.id);
        this.#news.emit("settled");
        this.poke();
      });
    this.#running.set(errand.id, { kind: errand.kind, developerId: errand.developerId, end });
  }

  async #perform(errand: Errand): Promise<void> {
    const kind = this.#kinds.get(errand.kind);
    const hand = this.#parts.hands[errand.kind];
    if (!kind || !hand) return;
    try {
      // A server that dies of its work must not die of it for ever.
      if (errand.attempts > kind.mostAttempts) throw new Refusal("INTERNAL", "The work never came to an end.");
      const result: unknown = await this.#limited(kind, errand, (turn) => hand.run(errand.payload, turn));
      await this.#bringHome(errand, { status: "done", result }, (work) => kind.done(work, errand.payload, result));
    } catch (error) {
      if (!this.#closing.signal.aborted) await this.#fail(kind, hand, errand, error);
    }
  }

  async #fail(kind: AnyErrandKind, hand: AnyHand, errand: Errand, error: unknown): Promise<void> {
    const { sources, log } = this.#parts;
    const failure = failureOf(error);
    log.warn({ err: error, errand: errand.id, kind: kind.name, attempts: errand.attempts }, "outside work failed");
    if (isTriedAgain(error, { ...errand, mostAttempts: kind.mostAttempts })) {
      const nextAt = sources.now() + pauseAfter(errand.attempts);
      await this.#bringHome(errand, { status: "pending", nextAt, error: failure }, async () => undefined);
      return;
    }
    const isUndone = await this.#undo(kind, hand, errand);
    await this.#bringHome(errand, { status: isUndone ? "undone" : "failed", error: failure }, (work) =>
      kind.failed(work, errand.payload, failure),
    );
  }

  async #undo(kind: AnyErrandKind, hand: AnyHand, errand: Errand): Promise<boolean> {
    if (!hand.undo) return false;
    try {
      await this.#limited(kind, errand, async (turn) => hand.undo?.(errand.payload, turn));
      return true;
    } catch (error) {
      this.#parts.log.error({ err: error, errand: errand.id }, "outside work could not be taken back");
      return false;
    }
  }

  async #limited<T>(kind: AnyErrandKind, errand: Errand, act: (turn: Turn) => Promise<T>): Promise<T> {
    const expired = new AbortController();
    const timer = setTimeout(
      () => expired.abort(new Refusal("TOOL_TIMEOUT", `It took longer than ${kind.timeoutMs} ms.`)),
      kind.timeoutMs,
    );
    try {
      const signal = AbortSignal.any([expired.signal, this.#closing.signal]);
      return await untilAborted(act({ key: errand.key, attempt: errand.attempts, signal }), signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One transaction for state, event and the row itself. A store that cannot be written now is asked again. */
  async #bringHome(
    errand: Errand,
    change: Omit<ErrandChange, "updatedAt">,
    meaning: (work: SystemWork) => Promise<void>,
  ): Promise<void> {
    const { store, sources, log } = this.#parts;
    const record = async (work: SystemWork): Promise<void> => {
      const row = await getErrand(work.db, errand.id);
      if (row.status !== "running" || row.attempts !== errand.attempts) return;
      await meaning(work);
      await saveErrand(work.db, row, { ...change, updatedAt: work.now });
    };
    for (let waitMs = recordAgainMs; ; waitMs = Math.min(waitMs * 2, recordAgainAtMostMs)) {
      try {
        return await transactAsSystem(store, sources, record, errand);
      } catch (error) {
        if (!(error instanceof Refusal) || !isPassing(error)) throw error;
        log.warn({ err: error, errand: errand.id }, "a result could not be recorded yet");
        await pause(waitMs, undefined, { signal: this.#closing.signal, ref: false });
      }
    }
  }
}
