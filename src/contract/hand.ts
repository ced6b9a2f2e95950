/**
 * How the house reaches outside: hands do, eyes look. Both are given to the house by the process that opens it, under
 * the name of the kind of work or sight they stand for.
 */

/** Carries out one kind of outside work. A crash may repeat a run, so doing it twice ends as doing it once. */
export interface Hand<Payload, Result> {
  /** A refusal of an unavailable or timed-out service is tried again; any other is final. */
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

/** Looks at something outside before a decision; it changes nothing there. */
export type Eye<Ask, Sight> = (ask: Ask, signal: AbortSignal) => Promise<Sight>;

/** What an operation wants to know of the outside before its transaction begins. */
export interface Look {
  readonly see: string;
  readonly ask: unknown;
}
