/**
 * Brings the forms of a word together: caches, cached and caching all become cach. Deliberately light, because two
 * words that fall together by mistake look like the same work.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return dropFinalE(dropEnding(dropPlural(word)));
}

function dropPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^aius]s$/.test(word) ? word.slice(0, -1) : word;
}

function dropEnding(word: string): string {
  for (const ending of endings) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    if (rest.length >= 3 && /[aeiouy]/.test(rest)) return undouble(rest);
  }
  return word;
}

const endings = ["ing", "ed"];

/** running → run, but calling → call. */
const undouble = (word: string): string => (/([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);

const dropFinalE = (word: string): string => (word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word);
