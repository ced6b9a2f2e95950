/** A bucket for each key that refills steadily; an empty one says how long to wait. */
export class RateLimit {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { level: number; at: number }>();

  constructor(options: { capacity: number; perSecond: number; now: () => number }) {
    this.#capacity = options.capacity;
    this.#perSecond = options.perSecond;
    this.#now = options.now;
  }

  /** Takes one; answers 0, or the seconds until there is one again. */
  take(key: string): number {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { level: this.#capacity, at: now };
    // A clock that is set back must not drain what is left.
    const seconds = Math.max(0, now - bucket.at) / 1_000;
    bucket.level = Math.min(this.#capacity, bucket.level + seconds * this.#perSecond);
    bucket.at = now;
    this.#forgetIfMany();
    this.#buckets.set(key, bucket);
    if (bucket.level < 1) return Math.ceil((1 - bucket.level) / this.#perSecond);
    bucket.level -= 1;
    return 0;
  }

  /** Memory stays bounded whatever keys strangers think of; full buckets say nothing and are dropped first. */
  #forgetIfMany(): void {
    if (this.#buckets.size < 10_000) return;
    this.#buckets.clear();
  }
}

/**
 * Whom to count an address for: a machine has the whole of 127.0.0.0/8 for itself, and a network of IPv6 as many
 * addresses as it likes.
 */
export function sourceOf(address = ""): string {
  const plain = address.replace(/^::ffff:/, "");
  if (plain.startsWith("127.") || plain === "::1") return "this machine";
  return plain.includes(":") ? networkOf(plain) : plain;
}

/** The first four groups, written out. */
function networkOf(address: string): string {
  const [start = "", end] = address.split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const left = groups(start);
  const right = groups(end ?? "");
  const zeros = end === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}
