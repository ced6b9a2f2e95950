import type { ErrorCode } from "../contract/errors.ts";
import type { SystemWork } from "./work.ts";

/** Outside work that an operation asks for: committed with it, begun after the commit, done once for its kind and key. */
export interface ErrandAsk<Payload = unknown> {
  readonly do: string;
  /** Asked for again under the same key, the work is not done again. */
  readonly key: string;
  /** The record it is about. Whoever waits for the outcome waits for all work on it. */
  readonly subject: string;
  /** The server that can reach what is to be worked on; the one that asks if left out. */
  readonly place?: string | undefined;
  readonly payload: Payload;
}

/** One kind of outside work: how it is done is a hand's business, what it means once it is done is its noun's. */
interface ErrandKind<Payload, Result> {
  readonly name: string;
  readonly timeoutMs: number;
  readonly mostAttempts: number;
  /** For long work: so many at once at most, and they take no place from other kinds. */
  readonly mostAtOnce?: number;
  /** Brings a result home: state and event, in the same transaction that marks the work as done. */
  done(work: SystemWork, payload: Payload, result: Result): Promise<void>;
  /** The work was given up, and what it had begun was taken back. */
  failed(work: SystemWork, payload: Payload, failure: ErrandFailure): Promise<void>;
}

/** Why a piece of outside work was given up, in our own words; what a program said about it is in `detail`. */
export interface ErrandFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly detail: string | null;
  /** It took too long. */
  readonly isLate?: true;
}

/** Carries out one kind of outside work. A crash may repeat a run, so doing it twice ends as doing it once. */
export interface Hand<Payload, Result> {
  /** What is refused as unavailable or timed out, or fails without a refusal, is tried again; any other no is final. */
  run(payload: Payload, turn: Turn): Promise<Result>;
  /** Takes back what an unfinished run may have left behind, when the work is given up. */
  undo?(payload: Payload, turn: Turn): Promise<void>;
}

/** One attempt at a piece of outside work. */
export interface Turn {
  /** The same for every attempt at the same piece of work, and for no other. */
  readonly key: string;
  /** 1 the first time. From 2 on, traces of an earlier attempt may be there. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** The runner carries payloads and results of every kind; each kind knows its own. */
export type AnyErrandKind = ErrandKind<unknown, unknown>;
export type AnyHand = Hand<unknown, unknown>;

/** Declares a kind of outside work and answers how it is asked for: `work.after(kind.ask({ … }))`. */
export function defineErrand<Payload, Result>(
  kind: ErrandKind<Payload, Result>,
): ErrandKind<Payload, Result> & { ask(wanted: Omit<ErrandAsk<Payload>, "do">): ErrandAsk<Payload> } {
  return { ...kind, ask: (wanted) => ({ do: kind.name, ...wanted }) };
}
