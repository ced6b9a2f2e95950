/** A row of the table: hash, place and length of the letters, and what is known. */
const rowLength = 4;
const lettersOfWord = 8;

/**
 * Looks words up where they stand in a text, without cutting them out first: cutting and hashing a hundred words of
 * every task is most of what building an index would cost. Everything lies in flat arrays, because what then remains of
 * the cost is waiting for memory. Starts anew when it is full.
 */
export class WordTable {
  readonly #most: number;
  readonly #slots: Int32Array;
  readonly #rows: Int32Array;
  #letters: Uint16Array<ArrayBuffer>;
  #lists: (readonly number[])[] = [];
  #size = 0;
  #lettersUsed = 0;

  constructor(most: number) {
    this.#most = most;
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(most * 2)));
    this.#rows = new Int32Array(most * rowLength);
    this.#letters = new Uint16Array(most * lettersOfWord);
  }

  /**
   * What is known about the word at this place; `learn` says it when nothing is. A single number comes as itself,
   * anything else as a negative number that `list` takes.
   */
  find(text: string, start: number, end: number, learn: (word: string) => readonly number[]): number {
    const mask = this.#slots.length - 1;
    const sought = hash(text, start, end);
    let slot = sought & mask;
    for (let row = this.#slots[slot] ?? 0; row !== 0; row = this.#slots[slot] ?? 0) {
      const at = (row - 1) * rowLength;
      if (this.#rows[at] === sought && this.#isAt(at, text, start, end)) return this.#rows[at + 3] ?? 0;
      slot = (slot + 1) & mask;
    }
    const word = text.slice(start, end);
    const numbers = learn(word);
    if (this.#size === this.#most) {
      this.#clear();
      slot = sought & mask;
    }
    return this.#keep(slot, word, sought, numbers);
  }

  list(known: number): readonly number[] {
    return this.#lists[-1 - known] ?? [];
  }

  #isAt(row: number, text: string, start: number, end: number): boolean {
    if (this.#rows[row + 2] !== end - start) return false;
    let letter = this.#rows[row + 1] ?? 0;
    for (let at = start; at < end; at += 1, letter += 1) {
      if (this.#letters[letter] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #keep(slot: number, word: string, hashed: number, numbers: readonly number[]): number {
    const [first] = numbers;
    const known = numbers.length === 1 && first !== undefined ? first : -this.#lists.push(numbers);
    this.#rows.set([hashed, this.#lettersUsed, word.length, known], this.#size * rowLength);
    while (this.#lettersUsed + word.length > this.#letters.length) this.#letters = enlarge(this.#letters);
    for (let at = 0; at < word.length; at += 1) this.#letters[this.#lettersUsed + at] = word.charCodeAt(at);
    this.#lettersUsed += word.length;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return known;
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#lists = [];
    this.#size = 0;
    this.#lettersUsed = 0;
  }
}

/** FNV-1a over the characters. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value ^ (value >>> 15);
}

function enlarge(letters: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(letters.length * 2);
  larger.set(letters);
  return larger;
}
