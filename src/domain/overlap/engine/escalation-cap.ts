import type { OverlapSettings } from "./settings.ts";

/** So many pieces of work are remembered, those that were checked last. */
export const mostRemembered = 500;
/** With fewer nothing is known about what is usual here. */
const leastKnown = 200;
/** The same title or ticket scores at least this, so a threshold that stays below never mutes it. */
const surest = 0.9;

/**
 * Keeps agents from being asked too often where much work looks alike. Remembers how high the best match of each check
 * scored, and asks no more often than a share of them, whatever the threshold. Identical work is always asked about.
 */
export class EscalationCap {
  readonly #tops = new Map<string, number>();

  /** `key` stands for the work: checked again it counts once, or a loop could mute everybody else. */
  note(key: string, scores: readonly number[]): void {
    this.#tops.delete(key);
    this.#tops.set(key, Math.max(0, ...scores.filter((score) => score < surest)));
    const [oldest] = this.#tops.keys();
    if (this.#tops.size > mostRemembered && oldest !== undefined) this.#tops.delete(oldest);
  }

  /** The threshold in force: the one that was set, or the score that the allowed share of checks reached. */
  raise({ escalateThreshold, escalationCap }: Pick<OverlapSettings, "escalateThreshold" | "escalationCap">): number {
    const known = this.#tops.size;
    if (known < leastKnown || escalationCap >= 1) return escalateThreshold;
    const allowed = Math.floor(known * escalationCap);
    const ranked = [...this.#tops.values()].sort((a, b) => b - a);
    return Math.max(escalateThreshold, allowed === 0 ? surest : (ranked[allowed - 1] ?? 0));
  }
}
