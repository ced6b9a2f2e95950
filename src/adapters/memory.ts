/** Remembers answers by their question; when it is full, the oldest is forgotten. */
export class Memory<T> {
  readonly #most: number;
  readonly #known = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  of(key: string, ask: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    this.set(key, answer);
    // A question that could not be answered is asked again.
    if (answer instanceof Promise) answer.catch(() => this.#known.delete(key));
    return answer;
  }

  get(key: string): T | undefined {
    return this.#known.get(key);
  }

  set(key: string, answer: T): void {
    if (this.#known.size >= this.#most) this.#known.delete(this.#known.keys().next().value ?? key);
    this.#known.set(key, answer);
  }
}
