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

/** The same as `foldText` for the bytes of a text, letter by letter. */
export function foldBytes(bytes: Buffer): Buffer {
  let folded = Buffer.allocUnsafe(bytes.length);
  let to = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0xc2 || byte >= 0xf0 ? 1 : byte < 0xe0 ? 2 : 3;
    if (length === 1) {
      // ASCII, or a part of a letter that has no small one.
      folded[to++] = foldByte[byte] ?? 0;
      at += 1;
      continue;
    }
    const letter = length === 2 ? twoBytes(bytes, at) : threeBytes(bytes, at);
    const small = smallLetters[letter] ?? learnSmall(letter);
    at += length;
    // Few small letters take more or less room than their capitals.
    const need = to + small.length + bytes.length - at;
    if (need > folded.length) folded = Buffer.concat([folded.subarray(0, to)], need + spareBytes);
    for (const one of small) folded[to++] = one;
  }
  return folded.subarray(0, to);
}

/** Room for letters that grow, so that not each of them moves the rest. */
const spareBytes = 4_096;

/** By the number of the letter, as far as they were met. */
const smallLetters: (readonly number[] | undefined)[] = [];

function learnSmall(letter: number): readonly number[] {
  const small = [...Buffer.from(foldText(String.fromCharCode(letter)))];
  smallLetters[letter] = small;
  return small;
}

const tail = (bytes: Buffer, at: number): number => (bytes[at] ?? 0) & 0x3f;

const twoBytes = (bytes: Buffer, at: number): number => (((bytes[at] ?? 0) & 0x1f) << 6) | tail(bytes, at + 1);

const threeBytes = (bytes: Buffer, at: number): number =>
  (((bytes[at] ?? 0) & 0x0f) << 12) | (tail(bytes, at + 1) << 6) | tail(bytes, at + 2);

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
