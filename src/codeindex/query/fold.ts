/**
 * Small letters, of the same length as the text, so that a place in one is a place in the other. Letters that would
 * change their length, or become plain ASCII (the Kelvin sign), stay: trigrams could not promise to find them.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+|[\u0080-\uffff]/g, (letters) => {
    const small = letters.toLowerCase();
    return small.length === letters.length && (letters.charCodeAt(0) < 128 || small.charCodeAt(0) >= 128)
      ? small
      : letters;
  });
}

export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** Letters, digits, `_` and `$`, and everything beyond ASCII: what words in the vocabulary are made of. */
export const isWordCode = (code: number): boolean =>
  code >= 128 ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 36;

export const isWord = (text: string): boolean => /^[\w$\u0080-\uffff]+$/.test(text);
