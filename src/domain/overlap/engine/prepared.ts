import type { OverlapQuery } from "./doc.ts";
import { listReferences } from "./reference.ts";
import { identifyTitle } from "./title.ts";
import { isTelling, trait } from "./traits.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { WordReader } from "./word-reader.ts";

/** A piece of work as numbers of terms. */
export interface Prepared {
  /** Ascending, each once: the number of the term, how often in the title, how often elsewhere. See `packWord`. */
  readonly words: Uint32Array;
  /** The title's terms in order. */
  readonly title: Uint32Array;
  /** The tickets it names in title and scope. */
  readonly references: Uint32Array;
  readonly files: Uint32Array;
  /** The title as a whole, as the number of a term. */
  readonly identity: number;
  /** How many different words of title and scope help to tell it from other work. */
  readonly telling: number;
}

/** How much of each text is read, in characters. */
const longest = { title: 300, scope: 400, description: 1_000, result: 400 };
const mostFiles = 100;
const mostTimes = 15;

export const packWord = (term: number, inTitle: number, inBody: number): number =>
  ((term << 8) | (Math.min(inTitle, mostTimes) << 4) | Math.min(inBody, mostTimes)) >>> 0;
export const termOf = (word: number): number => word >>> 8;
export const timesInTitle = (word: number): number => (word >>> 4) & mostTimes;
export const timesInBody = (word: number): number => word & mostTimes;
/** What the title says counts double. */
export const timesInWhole = (word: number): number => 2 * timesInTitle(word) + timesInBody(word);

export function prepare(work: OverlapQuery, reader: WordReader, vocabulary: Vocabulary): Prepared {
  const read = (part: keyof typeof longest): number[] =>
    numberTerms(reader.read(work[part] ?? "", longest[part]), vocabulary);
  const title = read("title");
  const scope = read("scope");
  const references = listReferences(
    `${work.title.slice(0, longest.title)} ${work.scope?.slice(0, longest.scope) ?? ""}`,
  );
  const files = [...new Set(work.files.slice(0, mostFiles).map(cleanPath))];
  return {
    words: countWords(title, [...scope, ...read("description"), ...read("result")]),
    title: Uint32Array.from(title),
    references: Uint32Array.from(references, (reference) => vocabulary.number(`@${reference}`)).sort(),
    files: Uint32Array.from(files, (file) => vocabulary.number(`/${file}`)).sort(),
    identity: vocabulary.number(`=${identifyTitle(work.title, reader, longest.title)}`),
    telling: countTelling([...title, ...scope], work.repo, reader, vocabulary) + references.length * worthOfReference,
  };
}

/** Naming a ticket says as precisely what is meant as three telling words do. */
const worthOfReference = 3;

function numberTerms(terms: readonly string[], vocabulary: Vocabulary): number[] {
  const numbers: number[] = [];
  for (const term of terms) {
    const number = vocabulary.number(term);
    if ((vocabulary.traits(number) & trait.stop) === 0) numbers.push(number);
  }
  return numbers;
}

function countWords(title: readonly number[], body: readonly number[]): Uint32Array {
  const times = new Map<number, number>();
  for (const term of title) times.set(term, Math.min((times.get(term) ?? 0) + 16, mostTimes << 4));
  for (const term of body) {
    const before = times.get(term) ?? 0;
    if ((before & mostTimes) < mostTimes) times.set(term, before + 1);
  }
  return Uint32Array.from(times, ([term, count]) => ((term << 8) | count) >>> 0).sort();
}

/** The repository's own name tells nothing inside of it. */
function countTelling(
  terms: readonly number[],
  repo: string | null,
  reader: WordReader,
  vocabulary: Vocabulary,
): number {
  const own = new Set(repo === null ? [] : reader.read(repo, longest.title));
  let count = 0;
  for (const number of new Set(terms)) {
    const term = vocabulary.term(number);
    if (term.length > 1 && isTelling(vocabulary.traits(number)) && !own.has(term)) count += 1;
  }
  return count;
}

const cleanPath = (path: string): string =>
  path
    .slice(0, 400)
    .trim()
    .replace(/^(?:\.?\/)+/, "");
