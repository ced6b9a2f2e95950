import { Refusal } from "../contract/refusal.ts";

/** Beyond this many waiting calls a connection is told to slow down (MC50, MC51). */
export const mostWaiting = 64;

/** So many calls of one connection are under way at once; enough to fill a group commit, too few to starve the others. */
export const mostRunning = 16;

/** The calls of one connection, begun in the order in which they came. A cancelled call frees its place at once. */
export class CallQueue {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  async run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running < mostRunning) this.#running += 1;
    else await this.#wait(signal);
    try {
      return await job();
    } finally {
      this.#running -= 1;
      this.#beginNext();
    }
  }

  /** Whoever waits has the place from now on, so that no later call can slip in before it is awake. */
  #beginNext(): void {
    const [next] = this.#waiting;
    if (next && this.#running < mostRunning) next();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const size = this.#waiting.size;
    if (size >= mostWaiting) {
      throw new Refusal("QUEUE_OVERLOADED", `${size} calls of this connection are waiting.`, undefined, {
        details: { queue: { max: mostWaiting, size } },
      });
    }
    return new Promise((resolve) => {
      const begin = () => {
        this.#waiting.delete(begin);
        signal?.removeEventListener("abort", begin);
        this.#running += 1;
        resolve();
      };
      this.#waiting.add(begin);
      // A call that was cancelled while it waited goes on, beyond the limit, to be refused as such by dispatch.
      if (signal?.aborted) begin();
      else signal?.addEventListener("abort", begin, { once: true });
    });
  }
}
