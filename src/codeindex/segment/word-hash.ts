/** Numbers of words by their bytes, for looking up whole ones without going through all of them. */
export class WordHash {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  /** The number of a word and 1; words that are the same stand one behind the other. */
  readonly #slots: Uint32Array;

  /** The words lie in `bytes`, each behind a line end; `ends` are the places of the line ends after them. */
  constructor(bytes: Buffer, ends: Uint32Array) {
    this.#bytes = bytes;
    this.#ends = ends;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(ends.length * 2 + 2)));
    const mask = this.#slots.length - 1;
    for (let word = 0; word < ends.length; word += 1) {
      let slot = hash(bytes, this.#startOf(word), ends[word] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = word + 1;
    }
  }

  find(sought: Buffer): number[] {
    const mask = this.#slots.length - 1;
    const found: number[] = [];
    for (let slot = hash(sought, 0, sought.length) & mask; ; slot = (slot + 1) & mask) {
      const word = (this.#slots[slot] ?? 0) - 1;
      if (word < 0) return found.sort((one, other) => one - other);
      const [start, end] = [this.#startOf(word), this.#ends[word] ?? 0];
      if (end - start === sought.length && this.#bytes.compare(sought, 0, sought.length, start, end) === 0)
        found.push(word);
    }
  }

  #startOf(word: number): number {
    return word === 0 ? 1 : (this.#ends[word - 1] ?? 0) + 1;
  }
}

/** FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return value ^ (value >>> 15);
}
