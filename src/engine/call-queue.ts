import { Refusal } from "../contract/refusal.ts";

/** C7: beyond this many waiting calls a connection is told to slow down. */
export const mostWaiting = 64;

/** So many calls of one connection are under way at once; enough to fill a group commit, too few to starve the others. */
const mostRunning = 16;

/** The calls of one connection, in order. A cancelled call frees its place at once. */
export class CallQueue {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  async run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running >= mostRunning) await this.#wait(signal);
    this.#running += 1;
    try {
      return await job();
    } finally {
      this.#running -= 1;
      const [next] = this.#waiting;
      next?.();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const size = this.#waiting.size;
    if (size >= mostWaiting) {
      throw new Refusal("QUEUE_OVERLOADED", `${size} calls of this connection are waiting.`, undefined, {
        details: { queue: { max: mostWaiting, size } },
      });
    }
    return new Promise((resolve) => {
      const proceed = () => {
        this.#waiting.delete(proceed);
        signal?.removeEventListener("abort", proceed);
        resolve();
      };
      this.#waiting.add(proceed);
      // A call that was cancelled while it waited goes on to be refused as such by dispatch.
      signal?.addEventListener("abort", proceed, { once: true });
    });
  }
}
