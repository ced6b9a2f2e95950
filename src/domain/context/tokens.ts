/**
 * Counts the tokens of a text with a real tokenizer (o200k), or a few more than it would. Loaded at first use: it is
 * large and most calls need none.
 */
let counter: Promise<(text: string) => number> | undefined;

export async function loadTokenCounter(): Promise<(text: string) => number> {
  counter ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens }) => {
    // Text that spells a control token is plain text to us.
    const options = { disallowedSpecial: new Set<string>() };
    return boundCounter((text) => countTokens(text, options));
  });
  return counter;
}

/** What the tokenizer takes for one word: letters, signs or blanks without a break. */
const run = /[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu;

/** The tokenizer's time grows with the square of a word's length: 60,000 emoji in a row would stop the server for a minute. */
const longestRun = 200;

/** A word's neighbours may belong to it. */
const neighbours = 4;

/**
 * Counts words that are too long by their bytes instead. A token has at least one, so the count is never too low; what
 * lies between them is counted as it is.
 */
export function boundCounter(count: (text: string) => number): (text: string) => number {
  return (text) => {
    let total = 0;
    let counted = 0;
    for (const match of text.matchAll(run)) {
      if (match[0].length <= longestRun) continue;
      if (match.index > counted) total += count(text.slice(counted, match.index));
      total += Buffer.byteLength(match[0]) + neighbours;
      counted = match.index + match[0].length;
    }
    return total + (counted === 0 ? count(text) : count(text.slice(counted)));
  };
}
