import { factStride, type SyntaxFilter, type WordFact, wordFacts } from "../parsed-file.ts";

/** More words than a file of the largest size can hold. */
const wordRoom = 2 ** 23;

/** Longer ones are expressions, which nobody types into a filter. */
const longestWord = 120;

/** Gathers the facts of a file in any order, and gives them sorted and once each. */
export class FactBook {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #pairs: number[] = [];
  readonly #kept: readonly boolean[];

  /** Facts that the language does not answer for are not kept: nobody may find some of them and miss others. */
  constructor(answers: ReadonlySet<SyntaxFilter>) {
    this.#kept = wordFacts.map((fact) => answers.has(fact));
  }

  keeps(fact: WordFact): boolean {
    return this.#kept[factNumbers[fact]] ?? false;
  }

  /** The word's number in this file, or -1 for one that is no word. */
  number(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    if (word === "" || word.length > longestWord) return -1;
    const number = this.words.push(word) - 1;
    this.#numbers.set(word, number);
    return number;
  }

  add(chunk: number, fact: WordFact, word: string): void {
    if (this.keeps(fact)) this.addNumber(chunk, factNumbers[fact], this.number(word));
  }

  addNumber(chunk: number, fact: number, word: number): void {
    if (word >= 0) this.#pairs.push((chunk * factStride + fact) * wordRoom + word);
  }

  toFacts(): Uint32Array {
    const sorted = Float64Array.from(this.#pairs).sort();
    const facts = new Uint32Array(sorted.length * 2);
    let length = 0;
    let before = -1;
    for (const pair of sorted) {
      if (pair === before) continue;
      before = pair;
      facts[length] = Math.floor(pair / wordRoom);
      facts[length + 1] = pair % wordRoom;
      length += 2;
    }
    return facts.slice(0, length);
  }
}

export const factNumbers = Object.fromEntries(wordFacts.map((fact, number) => [fact, number])) as Readonly<
  Record<WordFact, number>
>;
