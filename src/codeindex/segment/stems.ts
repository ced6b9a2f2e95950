/**
 * The parts of an identifier in small letters, cut at capitals, underscores and digits, with common English endings
 * taken off: `parsedFileNames` is parse, file, name. The whole stands first where it has several parts.
 */
export function listStems(identifier: string): string[] {
  const parts = identifier.match(partPattern) ?? [];
  const stems = parts.map((part) => stemOf(part.toLowerCase())).filter((part) => part.length > 1);
  const whole = identifier.toLowerCase();
  return [...new Set(parts.length > 1 ? [whole, ...stems] : stems)];
}

const partPattern = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u0080-\uffff]+/g;

/** Light on purpose: two words should meet only if a reader would call them the same word. */
function stemOf(word: string): string {
  if (word.length < 5) return word.length === 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, 3) : word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  const single = word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
  const shorter = /^(.{3,}?)(?:ing|ed)$/.exec(single)?.[1];
  if (shorter === undefined) return single.length > 4 && single.endsWith("e") ? single.slice(0, -1) : single;
  const undoubled = /([bdfgmnprt])\1$/.test(shorter) ? shorter.slice(0, -1) : shorter;
  return undoubled.length > 4 && undoubled.endsWith("e") ? undoubled.slice(0, -1) : undoubled;
}
