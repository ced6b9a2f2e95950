import { unify } from "./same-words.ts";
import { stem } from "./stem.ts";

/** Words that were split and stemmed before are remembered up to this many; then it starts anew. */
const mostRemembered = 60_000;

/** Longer words are no words: encoded data, minified code. */
const longestWord = 64;

/**
 * Reads the terms of a text: words in lower case, stemmed, identifiers split as well as whole, numbers kept.
 * Remembers how it split a word, since the same few thousand words make up nearly all text.
 */
export class WordReader {
  readonly #known = new Map<string, readonly string[]>();

  /** The terms of the first `most` characters, in order, stop words included. */
  read(text: string, most: number): string[] {
    const terms: string[] = [];
    visitWords(text, most, (whole, start, end) => {
      for (const term of this.split(whole.slice(start, end))) terms.push(term);
    });
    return terms;
  }

  /** The terms of one word. */
  split(word: string): readonly string[] {
    const before = this.#known.get(word);
    if (before) return before;
    const terms = splitWord(word);
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(word, terms);
    return terms;
  }
}

/** Where each word of the first `most` characters begins and ends, in order, in the text as it is read. */
export function visitWords(
  text: string,
  most: number,
  visit: (whole: string, start: number, end: number) => void,
): void {
  const whole = clean(text, most);
  let start = -1;
  for (let at = 0; at < whole.length; at += 1) {
    const code = whole.charCodeAt(at);
    const isInside = code < 128 ? isPlain[code] === 1 || isJoiner(whole, at, code) : isForeign(whole, at, code);
    if (isInside) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      visit(whole, start, at);
      start = -1;
    }
  }
  if (start !== -1) visit(whole, start, whole.length);
}

/** Only text outside ASCII has more than one way to write the same letter. */
function clean(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII.
  return /^[\x00-\x7f]*$/.test(cut) ? cut : cut.normalize("NFKC");
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isPlain = Uint8Array.from({ length: 128 }, (_, code) => Number(isDigit(code) || isLetter(code) || code === 95));

const isForeign = (text: string, at: number, code: number): boolean =>
  (code >= 0xd800 && code < 0xe000) || /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? "");

/** Keeps 1.2.3, C++ and C# in one piece, and the word in don't. */
function isJoiner(text: string, at: number, code: number): boolean {
  if (at === 0) return false;
  const before = text.charCodeAt(at - 1);
  if (code === 46) return isDigit(before) && isDigit(text.charCodeAt(at + 1));
  if (code === 43) return text[at + 1] === "+" ? isLetter(before) : text[at - 1] === "+" && at > 1;
  if (code === 35) return (before === 67 || before === 70 || before === 99) && !isPlain[text.charCodeAt(at - 2)];
  return code === 39 && isLetter(before) && isLetter(text.charCodeAt(at + 1));
}

const withoutSpaces = /[\u3040-\u30ff\u3400-\u9fff]/u;

function splitWord(word: string): readonly string[] {
  if (word.length > longestWord) return [];
  if (withoutSpaces.test(word)) return pairUp(word.toLowerCase());
  const parts = word
    .replace(/'s$/, "")
    .replaceAll("'", "")
    .replace(/([a-z]|\d(?=[A-Z][a-z]))([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .filter((part) => part !== "");
  const terms = parts.flatMap(splitNumber).map((part) => unify(stem(part)));
  return parts.length > 1 ? [...terms, parts.join("")] : terms;
}

/** phase2 and "phase 2" are the same; 3d, 2fa, e2e and hashes stay whole; 007 is 7. */
function splitNumber(part: string): string[] {
  const [, letters, digits] = /^([a-z]+)(\d+(?:\.\d+)*[a-z]?)$/.exec(part) ?? [];
  if (letters !== undefined && digits !== undefined && !/^[a-z]\d+[a-z]$/.test(part))
    return [letters, dropZeros(digits)];
  return [/^\d+$/.test(part) ? dropZeros(part) : part];
}

const dropZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "");

/** Scripts without spaces are read in pairs of characters. */
function pairUp(word: string): string[] {
  const letters = [...word];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}
