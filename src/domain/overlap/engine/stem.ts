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
  if (/(?:ss|x|zz|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^aius]s$/.test(word) ? word.slice(0, -1) : word;
}

function dropEnding(word: string): string {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("eed") || endsSoByItself.has(word)) return word;
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    if (/^[^aeiou]*[aeiouy][^aeiouywx]$/.test(rest) && rest.length <= 3) return `${rest}e`;
    if (rest.length >= 3 && /[aeiouy]/.test(rest)) return undouble(rest);
  }
  return word;
}

const endsSoByItself: ReadonlySet<string> = new Set(["embed"]);

/** running → run, but calling → call and adding → add. */
const undouble = (word: string): string => (word.length > 3 && /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);

/** Short words keep it, or note would be not: a short rest of saving gets it back instead. */
const dropFinalE = (word: string): string => (word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word);
