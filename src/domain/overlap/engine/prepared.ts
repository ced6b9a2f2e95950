import type { OverlapQuery } from "./doc.ts";
import { listReferences } from "./reference.ts";
import { articles } from "./stop-words.ts";
import { trait } from "./traits.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { WordReader } from "./word-reader.ts";

/** A piece of work as numbers of terms. */
export interface Prepared {
  /** Ascending, each once: the number of the term, how often in the title, how often elsewhere. See `packWord`. */
  readonly words: Uint32Array;
  /** The title as a whole, whatever its case, punctuation and endings, as the number of a term. */
  readonly identity: number;
  readonly references: Uint32Array;
  readonly files: Uint32Array;
}

/** How much of each text is read, in characters. */
const longest = { title: 300, scope: 400, description: 600, result: 400 };
const mostFiles = 100;
const mostTimes = 15;

export const packWord = (term: number, inTitle: number, inBody: number): number =>
  ((term << 8) | (Math.min(inTitle, mostTimes) << 4) | Math.min(inBody, mostTimes)) >>> 0;
export const termOf = (word: number): number => word >>> 8;
export const timesInTitle = (word: number): number => (word >>> 4) & mostTimes;
export const timesInBody = (word: number): number => word & mostTimes;

export function prepare(work: OverlapQuery, reader: WordReader, vocabulary: Vocabulary): Prepared {
  const title = reader.read(work.title, longest.title);
  const times = new Map<number, { inTitle: number; inBody: number }>();
  countTerms(title, "inTitle", times, vocabulary);
  for (const part of ["scope", "description", "result"] as const) {
    const text = work[part];
    if (text) countTerms(reader.read(text, longest[part]), "inBody", times, vocabulary);
  }
  const words = Uint32Array.from(times, ([term, { inTitle, inBody }]) => packWord(term, inTitle, inBody)).sort();
  const references = listReferences(`${work.title} ${work.scope ?? ""}`.slice(0, longest.title + longest.scope));
  const files = [...new Set(work.files.map(cleanPath))].slice(0, mostFiles);
  return {
    words,
    identity: vocabulary.number(`=${identityOf(title, work.title)}`),
    references: Uint32Array.from(references, (reference) => vocabulary.number(`@${reference}`)).sort(),
    files: Uint32Array.from(files, (file) => vocabulary.number(`/${file}`)).sort(),
  };
}

function countTerms(
  terms: readonly string[],
  place: "inTitle" | "inBody",
  times: Map<number, { inTitle: number; inBody: number }>,
  vocabulary: Vocabulary,
): void {
  for (const term of terms) {
    const number = vocabulary.number(term);
    if (vocabulary.traits(number) & trait.stop) continue;
    const entry = times.get(number);
    if (entry) entry[place] += 1;
    else times.set(number, place === "inTitle" ? { inTitle: 1, inBody: 0 } : { inTitle: 0, inBody: 1 });
  }
}

/** A title of nothing but signs is still the same as itself. */
function identityOf(terms: readonly string[], title: string): string {
  const said = terms.filter((term) => !articles.has(term));
  return said.length === 0 ? title.trim().toLowerCase() : said.join(" ");
}

const cleanPath = (path: string): string =>
  path
    .trim()
    .replace(/^(?:\.?\/)+/, "")
    .slice(0, 400);
