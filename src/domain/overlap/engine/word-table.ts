const none: readonly number[] = [];

/**
 * Looks words up where they stand in a text, without cutting them out first: cutting and hashing a hundred words of
 * every task is most of what building an index would cost. Starts anew when it is full.
 */
export class WordTable {
  readonly #most: number;
  readonly #slots: Int32Array;
  #words: string[] = [];
  #numbers: (readonly number[])[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(most * 2)));
  }

  /** What is known about the word at this place; `learn` says it when nothing is. */
  find(text: string, start: number, end: number, learn: (word: string) => readonly number[]): readonly number[] {
    const mask = this.#slots.length - 1;
    let slot = hash(text, start, end) & mask;
    for (let entry = this.#slots[slot] ?? 0; entry !== 0; entry = this.#slots[slot] ?? 0) {
      if (isAt(this.#words[entry - 1] ?? "", text, start, end)) return this.#numbers[entry - 1] ?? none;
      slot = (slot + 1) & mask;
    }
    const word = text.slice(start, end);
    const numbers = learn(word);
    if (this.#words.length < this.#most) this.#keep(slot, word, numbers);
    else this.#clear();
    return numbers;
  }

  #keep(slot: number, word: string, numbers: readonly number[]): void {
    this.#words.push(word);
    this.#numbers.push(numbers);
    this.#slots[slot] = this.#words.length;
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#words = [];
    this.#numbers = [];
  }
}

/** FNV-1a over the characters. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1) {
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}
