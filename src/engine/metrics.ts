/** Counters for `/metrics` and `/status`. Cheap enough for every call. */
export class Metrics {
  readonly #calls = new Map<string, { count: number; totalMs: number }>();

  countCall(tool: string, outcome: string, durationMs: number): void {
    const key = `${tool}\n${outcome}`;
    const known = this.#calls.get(key);
    if (known) {
      known.count += 1;
      known.totalMs += durationMs;
    } else {
      this.#calls.set(key, { count: 1, totalMs: durationMs });
    }
  }

  calls(): { tool: string; outcome: string; count: number; totalMs: number }[] {
    return [...this.#calls].map(([key, value]) => {
      const [tool = "", outcome = ""] = key.split("\n");
      return { tool, outcome, ...value };
    });
  }
}
