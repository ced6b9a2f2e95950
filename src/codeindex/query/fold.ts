/**
 * Small letters, of the same length as the text, so that a place in one is a place in the other. Letters that would
 * change their length, or become plain ASCII (the Kelvin sign), stay: trigrams could not promise to find them.
 */
export function foldText(text: string): string {
  return odd.test(text) ? foldLetters(text) : text.toLowerCase();
}

/** Letters whose small ones are longer, plain ASCII, or others at the end of a word or in pairs. */
const odd = /[\u0130\u03a3\u212a\ud800-\udfff]/;

/** One by one, whatever stands beside them. */
export function foldLetters(text: string): string {
  return text.replace(/[A-Z]+|[\u0080-\uffff]/g, (letters) => {
    const small = letters.toLowerCase();
    return small.length === letters.length && (letters.charCodeAt(0) < 128 || small.charCodeAt(0) >= 128)
      ? small
      : letters;
  });
}

/** For each byte that of the small letter, where it is a capital of ASCII. */
export const foldByte = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

/** The same as `foldText` for the bytes of a text. Letters beyond ASCII are few, and only they are decoded. */
export function foldBytes(bytes: Buffer): Buffer {
  const folded = Buffer.allocUnsafe(bytes.length);
  const known = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    folded[at] = foldByte[byte] ?? 0;
    if (byte < 128) continue;
    let end = at + 1;
    while (end < bytes.length && (bytes[end] ?? 0) >= 128) end += 1;
    const run = bytes.toString("latin1", at, end);
    const letters = known.get(run) ?? Buffer.from(foldText(bytes.toString("utf8", at, end)));
    known.set(run, letters);
    // Few small letters take more or less room than their capitals.
    if (letters.length !== end - at) return Buffer.from(foldText(bytes.toString("utf8")));
    letters.copy(folded, at);
    at = end - 1;
  }
  return folded;
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
