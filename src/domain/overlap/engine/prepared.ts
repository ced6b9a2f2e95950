import type { OverlapQuery } from "./doc.ts";
import type { Numbering } from "./numbering.ts";
import { listReferences } from "./reference.ts";
import { joinPhrases } from "./same-words.ts";
import { identifyTitle } from "./title.ts";
import { isTelling } from "./traits.ts";
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

export const packWord = (term: number, inTitle: number, inBody: number): number =>
  ((term << 8) | (Math.min(inTitle, mostTimes) << 4) | Math.min(inBody, mostTimes)) >>> 0;
export const termOf = (word: number): number => word >>> 8;
export const timesInTitle = (word: number): number => (word >>> 4) & mostTimes;
export const timesInBody = (word: number): number => word & mostTimes;
/** What the title says counts double. */
export const timesInWhole = (word: number): number => 2 * timesInTitle(word) + timesInBody(word);

/** `isKept` for work that goes into the index, not for a query. */
export function prepare(work: OverlapQuery, numbering: Numbering, { isKept }: { readonly isKept: boolean }): Prepared {
  const { vocabulary } = numbering;
  const read = (part: keyof typeof longest): number[] => {
    const text = isShort(part) ? joinPhrases((work[part] ?? "").slice(0, longest[part])) : (work[part] ?? "");
    return isKept ? numbering.readToKeep(text, longest[part]) : numbering.readOnce(text, longest[part]);
  };
  const title = read("title");
  const scope = read("scope");
  const references = listReferences(
    `${work.title.slice(0, longest.title)} ${work.scope?.slice(0, longest.scope) ?? ""}`,
  );
  const files = work.files.length === 0 ? [] : [...new Set(work.files.slice(0, mostFiles).map(cleanPath))];
  return {
    words: countWords(title, [scope, read("description"), read("result")]),
    title: new Uint32Array(title),
    references: listNumbers(references, "@", vocabulary),
    files: listNumbers(files, "/", vocabulary),
    identity: vocabulary.number(`=${identifyTitle(work.title, longest.title)}`),
    telling: countTelling([...title, ...scope], work.repo, numbering) + references.length * worthOfReference,
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

/** The repository's own name tells nothing inside of it. */
function countTelling(terms: readonly number[], repo: string | null, { reader, vocabulary }: Numbering): number {
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
