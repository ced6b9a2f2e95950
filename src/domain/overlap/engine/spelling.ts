import type { OverlapQuery } from "./doc.ts";
import { joinPhrases } from "./same-words.ts";
import type { WordReader } from "./word-reader.ts";

const longestText = 2_000;
const longestWord = 32;

/** Says how the writer of a text spelled a term, since nobody wants to read stems. Reads the text only when asked. */
export function makeSpeller({ title, scope, description }: OverlapQuery, reader: WordReader): (term: string) => string {
  let spellings: Map<string, string> | undefined;
  return (term) => {
    spellings ??= collect(joinPhrases([title, scope, description].join(" ").slice(0, longestText)), reader);
    return spellings.get(term) ?? term.slice(0, longestWord);
  };
}

function collect(text: string, reader: WordReader): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    for (const term of reader.read(word, longestWord)) if (!spellings.has(term)) spellings.set(term, word);
  }
  return spellings;
}
