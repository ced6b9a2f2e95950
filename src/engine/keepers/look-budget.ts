/** A tenth of a core. */
const share = 0.1;
/** What may be saved up: so much can be spent at once when there is a reason. */
const mostSavedMs = 3_000;

/**
 * How much may be spent on looking at repositories. Time adds a tenth of itself, every look takes away what it took,
 * so that in the long run looking never has more than a tenth of a core, and still comes at once after a quiet while.
 */
export class LookBudget {
  #savedMs = mostSavedMs;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** Where something has happened a look may use up what is saved; for mere rounds half of it is kept. */
  allows(now: number, { isUrgent }: { readonly isUrgent: boolean }): boolean {
    this.#pass(now);
    return this.#savedMs > (isUrgent ? 0 : mostSavedMs / 2);
  }

  spend(now: number, tookMs: number): void {
    this.#pass(now);
    this.#savedMs -= tookMs;
  }

  #pass(now: number): void {
    this.#savedMs = Math.min(mostSavedMs, this.#savedMs + Math.max(0, now - this.#at) * share);
    this.#at = now;
  }
}
