/** Who uses an index and who takes it away: a removal waits for those at work, and whoever comes then finds nothing. */
export class Leases {
  readonly #users = new Map<string, Set<Promise<unknown>>>();
  /** What is being taken away, or waits to be. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Of these the files are going. */
  readonly #going = new Map<string, Promise<void>>();

  isLeaving(id: string): boolean {
    return this.#leaving.has(id);
  }

  /** Resolves once no removal is under way or waits. */
  async untilStaying(id: string): Promise<void> {
    for (let leaving = this.#leaving.get(id); leaving; leaving = this.#leaving.get(id)) await leaving;
  }

  /** For those who hold a lease as well as for those who need none: resolves when no files are going. */
  async untilGone(id: string): Promise<void> {
    for (let going = this.#going.get(id); going; going = this.#going.get(id)) await going;
  }

  /** Keeps an index for as long as it is used. */
  async hold<T>(id: string, use: () => Promise<T>): Promise<T> {
    const users = this.#users.get(id) ?? new Set();
    this.#users.set(id, users);
    const using = use();
    const ended = using.catch(() => undefined);
    users.add(ended);
    try {
      return await using;
    } finally {
      users.delete(ended);
      if (users.size === 0) this.#users.delete(id);
    }
  }

  /** Takes an index away once nobody uses it. Cancelled while it waits, it leaves everything as it is. */
  remove(id: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
    const before = this.#leaving.get(id) ?? Promise.resolve();
    const removal = before.then(() => this.#wait(id, signal)).then(() => this.#go(id, act));
    const left = removal
      .catch(() => undefined)
      .then(() => {
        if (this.#leaving.get(id) === left) this.#leaving.delete(id);
      });
    this.#leaving.set(id, left);
    return removal;
  }

  #go(id: string, act: () => Promise<void>): Promise<void> {
    const going = act();
    const gone = going.catch(() => undefined).then(() => void this.#going.delete(id));
    this.#going.set(id, gone);
    return going;
  }

  async #wait(id: string, signal: AbortSignal): Promise<void> {
    const cancelled = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    cancelled.catch(() => undefined);
    for (let users = this.#users.get(id); users; users = this.#users.get(id)) {
      await Promise.race([Promise.all(users), cancelled]);
    }
    signal.throwIfAborted();
  }
}
