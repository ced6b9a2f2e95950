import type { OverlapQuery } from "./doc.ts";
import type { Numbering } from "./numbering.ts";
import { listReferences } from "./reference.ts";
import { joinPhrases } from "./same-words.ts";
import { identifyTitle } from "./title.ts";
import { isTelling } from "./traits.ts";
import type { WordReader } from "./word-reader.ts";
import type { WorkVocabulary } from "./work-vocabulary.ts";

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
const longest = { title: 300, scope: 400, description: 500, result: 400 };
const mostFiles = 100;
const mostTimes = 15;

const packWord = (term: number, inTitle: number, inBody: number): number =>
  ((term << 8) | (Math.min(inTitle, mostTimes) << 4) | Math.min(inBody, mostTimes)) >>> 0;
export const termOf = (word: number): number => word >>> 8;
export const timesInTitle = (word: number): number => (word >>> 4) & mostTimes;
export const timesInBody = (word: number): number => word & mostTimes;
/** What the title says counts double. */
export const timesInWhole = (word: number): number => 2 * timesInTitle(word) + timesInBody(word);

/** What was read, and what of it would tell this work from other work in any repository. */
export interface Reading {
  readonly prepared: Prepared;
  readonly tellingTerms: readonly string[];
}

/** `isKept` for work that goes into the index, not for a query. */
export function readWork(work: OverlapQuery, numbering: Numbering, { isKept }: { readonly isKept: boolean }): Reading {
  const { vocabulary } = numbering;
  const read = (part: keyof typeof longest): number[] => {
    const text = isShort(part) ? joinPhrases((work[part] ?? "").slice(0, longest[part])) : (work[part] ?? "");
    return isKept ? numbering.readToKeep(text, longest[part]) : numbering.readOnce(text, longest[part]);
  };
  const title = read("title");
  const scope = read("scope");
  const names = listReferences(`${work.title.slice(0, longest.title)} ${work.scope?.slice(0, longest.scope) ?? ""}`);
  const references = listNumbers(names, "@", vocabulary);
  const files = work.files.length === 0 ? [] : [...new Set(work.files.slice(0, mostFiles).map(cleanPath))];
  const tellingTerms = listTelling([...title, ...scope], vocabulary);
  const prepared = {
    words: countWords(title, [scope, read("description"), read("result")]),
    title: new Uint32Array(title),
    references,
    files: listNumbers(files, "/", vocabulary),
    identity: vocabulary.number(`=${identifyTitle(work.title, longest.title)}`),
    telling: countTelling({ references, tellingTerms }, work.repo, numbering.reader),
  };
  return { prepared, tellingTerms };
}

/** The same work, said to be in a repository. */
export const placeIn = (repo: string | null, { prepared, tellingTerms }: Reading, reader: WordReader): Prepared => ({
  ...prepared,
  telling: countTelling({ references: prepared.references, tellingTerms }, repo, reader),
});

/** The same with other numbers for its terms. */
export function translate(prepared: Prepared, renumber: (term: number) => number): Prepared {
  const all = (terms: Uint32Array): Uint32Array => terms.map(renumber);
  return {
    words: prepared.words.map((word) => packWord(renumber(termOf(word)), timesInTitle(word), timesInBody(word))).sort(),
    title: all(prepared.title),
    references: all(prepared.references).sort(),
    files: all(prepared.files).sort(),
    identity: renumber(prepared.identity),
    telling: prepared.telling,
  };
}

const nothing = new Uint32Array(0);

const listNumbers = (names: readonly string[], mark: string, vocabulary: WorkVocabulary): Uint32Array =>
  names.length === 0 ? nothing : Uint32Array.from(names, (name) => vocabulary.number(`${mark}${name}`)).sort();

/** Long texts say a thing more than once, so how a word is written matters less there than the time it takes. */
const isShort = (part: keyof typeof longest): boolean => part === "title" || part === "scope";

/** Naming a ticket says as precisely what is meant as three telling words do. */
const worthOfReference = 3;

/** Every mention by itself, sorted, then those of one term put together. Room is made once and used by all. */
function countWords(title: readonly number[], body: readonly (readonly number[])[]): Uint32Array {
  const length = body.reduce((sum, part) => sum + part.length, title.length);
  if (length > mentions.length) mentions = new Uint32Array(length * 2);
  let count = 0;
  for (const term of title) mentions[count++] = packWord(term, 1, 0);
  for (const part of body) for (const term of part) mentions[count++] = packWord(term, 0, 1);
  return putTogether(mentions.subarray(0, count).sort());
}

let mentions = new Uint32Array(1_024);

function putTogether(sorted: Uint32Array): Uint32Array {
  let size = 0;
  for (let at = 0; at < sorted.length; ) {
    const term = termOf(sorted[at] ?? 0);
    let [inTitle, inBody] = [0, 0];
    for (; at < sorted.length && termOf(sorted[at] ?? 0) === term; at += 1) {
      inTitle += timesInTitle(sorted[at] ?? 0);
      inBody += timesInBody(sorted[at] ?? 0);
    }
    sorted[size] = packWord(term, inTitle, inBody);
    size += 1;
  }
  return sorted.slice(0, size);
}

const listTelling = (numbers: readonly number[], vocabulary: WorkVocabulary): string[] =>
  [...new Set(numbers)]
    .filter((number) => isTelling(vocabulary.traits(number)))
    .map((number) => vocabulary.term(number))
    .filter((term) => term.length > 1);

/** The repository's own name tells nothing inside of it. */
function countTelling(
  { references, tellingTerms }: Pick<Prepared, "references"> & Pick<Reading, "tellingTerms">,
  repo: string | null,
  reader: WordReader,
): number {
  const own = repo === null ? [] : reader.read(repo, longest.title);
  const telling = tellingTerms.filter((term) => !own.includes(term));
  return telling.length + references.length * worthOfReference;
}

const cleanPath = (path: string): string =>
  path
    .slice(0, 400)
    .trim()
    .replace(/^(?:\.?\/)+/, "");
