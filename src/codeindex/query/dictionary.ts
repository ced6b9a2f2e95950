import { foldText } from "./fold.ts";
import type { Literal, Query } from "./grammar.ts";

/** Words that stand for others, and words that others are made of, all in small letters. */
export interface Dictionary {
  readonly words: ReadonlySet<string>;
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

/** What was not asked for in so many words counts for so much of what was. */
export const widenedWorth = 0.4;

const shortestPart = 3;
const mostParts = 4;
const longestWord = 60;
const mostSynonyms = 16;

/**
 * Reads dictionaries: one word to a line, or `word: other, another` for words that it also stands for. What follows a
 * slash, as in spelling dictionaries, is left out; lines that begin with # are comments.
 */
export function readDictionary(texts: Iterable<string>): Dictionary {
  const words = new Set<string>();
  const synonyms = new Map<string, readonly string[]>();
  for (const text of texts) {
    for (const line of text.split("\n")) {
      if (line.startsWith("#")) continue;
      const [word = "", others] = line.split(/[:=\t]/, 2).map((part) => part.trim());
      const known = wordOf(word);
      if (known === undefined) continue;
      words.add(known);
      if (others === undefined) continue;
      const listed = others.split(/[,;]/).flatMap((other) => wordOf(other.trim()) ?? []);
      synonyms.set(known, [...new Set([...(synonyms.get(known) ?? []), ...listed])].slice(0, mostSynonyms));
    }
  }
  return { words, synonyms };
}

function wordOf(text: string): string | undefined {
  const word = foldText(text.split("/", 1)[0] ?? "");
  return word.length <= longestWord && isPlainWord.test(word) ? word : undefined;
}

const isPlainWord = /^[\p{L}][\p{L}\p{N}_-]*$/u;

/** The query with what its words also stand for. What is quoted or negated is meant as it is written. */
export function widen(query: Query, dictionary: Dictionary): Query {
  switch (query.type) {
    case "literal":
      return widenWord(query, dictionary);
    case "and":
    case "or":
      return { ...query, parts: query.parts.map((part) => widen(part, dictionary)) };
    case "plain": {
      const words = new Set(query.text.match(/\p{L}+/gu)?.map(foldText));
      const also = [...words].flatMap((word) => [...synonymsOf(word, dictionary), ...splitWord(word, dictionary)]);
      return also.length === 0 ? query : { ...query, also };
    }
    default:
      return query;
  }
}

function widenWord(query: Literal, dictionary: Dictionary): Query {
  if (query.isQuoted) return query;
  const word = foldText(query.text);
  const parts = splitWord(word, dictionary).map(asLiteral);
  const others = synonymsOf(word, dictionary).map(asLiteral);
  if (parts.length === 0 && others.length === 0) return query;
  const split: Query[] = parts.length === 0 ? [] : [{ type: "and", parts }];
  return { type: "or", parts: [query, ...split, ...others] };
}

const asLiteral = (text: string): Literal => ({ type: "literal", text, worth: widenedWorth });

const synonymsOf = (word: string, { synonyms }: Dictionary): readonly string[] => synonyms.get(word) ?? [];

/** The known words that an unknown one is put together from, the fewest and longest; none where it can't be. */
function splitWord(word: string, { words }: Dictionary): readonly string[] {
  if (word.length < 2 * shortestPart || word.length > longestWord || words.has(word)) return [];
  for (let count = 2; count <= mostParts; count += 1) {
    const parts = splitInto(word, count, words);
    if (parts) return parts;
  }
  return [];
}

function splitInto(word: string, count: number, words: ReadonlySet<string>): readonly string[] | undefined {
  if (count === 1) return words.has(word) ? [word] : undefined;
  for (let end = word.length - shortestPart * (count - 1); end >= shortestPart; end -= 1) {
    if (!words.has(word.slice(0, end))) continue;
    const rest = splitInto(word.slice(end), count - 1, words);
    if (rest) return [word.slice(0, end), ...rest];
  }
  return undefined;
}
