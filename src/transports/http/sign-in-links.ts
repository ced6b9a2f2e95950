import type { Caller } from "../../contract/caller.ts";

const livesMs = 10 * 60_000;

/** Whoever asks again and again pushes out their own older links and nobody else's. */
const mostOfDeveloper = 10;

interface Link {
  readonly caller: Caller;
  readonly until: number;
}

/** The links that sign a browser in, each once, by the code in them. */
export class SignInLinks {
  readonly #links = new Map<string, Link>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(code: string, caller: Caller): void {
    for (const [old, { until }] of this.#links) if (until < this.#now()) this.#links.delete(old);
    const own = [...this.#links].filter(([, link]) => link.caller.developerId === caller.developerId);
    for (const [old] of own.slice(0, Math.max(0, own.length - mostOfDeveloper + 1))) this.#links.delete(old);
    this.#links.set(code, { caller, until: this.#now() + livesMs });
  }

  /** Whom a link signs in; it stays usable. */
  find(code: string): Caller | undefined {
    const link = this.#links.get(code);
    return link && link.until >= this.#now() ? link.caller : undefined;
  }

  /** Whom a link signs in, this once. */
  take(code: string): Caller | undefined {
    const caller = this.find(code);
    this.#links.delete(code);
    return caller;
  }
}
