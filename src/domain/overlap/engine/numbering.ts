import { WordTable } from "../../../search/word-table.ts";
import { trait } from "./traits.ts";
import { visitWords, type WordReader } from "./word-reader.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

/** Words whose terms are known by number are remembered up to this many; then it starts anew. */
const mostRemembered = 100_000;

/** Turns words into the numbers of their terms, without stop words. */
export class Numbering {
  readonly reader: WordReader;
  readonly vocabulary: WorkVocabulary;
  readonly #known = new WordTable(mostRemembered);
  readonly #learn = (word: string): number[] => this.#number(word);

  constructor(reader: WordReader, vocabulary: WorkVocabulary) {
    this.reader = reader;
    this.vocabulary = vocabulary;
  }

  /** For work that stays: its words will come again. */
  readToKeep(text: string, most: number): number[] {
    const numbers: number[] = [];
    visitWords(text, most, (whole, start, end) => {
      const known = this.#known.find(whole, start, end, this.#learn);
      if (known >= 0) numbers.push(known);
      else for (const number of this.#known.list(known)) numbers.push(number);
    });
    return numbers;
  }

  /** For a query: its words may be forgotten after it, so nothing here may remember their numbers. */
  readOnce(text: string, most: number): number[] {
    const numbers: number[] = [];
    visitWords(text, most, (whole, start, end) => numbers.push(...this.#number(whole.slice(start, end))));
    return numbers;
  }

  #number(word: string): number[] {
    const numbers: number[] = [];
    for (const term of this.reader.split(word)) {
      const number = this.vocabulary.number(term);
      if ((this.vocabulary.traits(number) & trait.stop) === 0) numbers.push(number);
    }
    return numbers;
  }
}
