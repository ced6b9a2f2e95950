import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteFinder } from "../../src/codeindex/query/find-bytes.ts";
import { foldBytes, foldLetters, foldText } from "../../src/codeindex/query/fold.ts";

const letters = (...some: string[]) =>
  fc.array(fc.constantFrom(...some), { maxLength: 30 }).map((list) => list.join(""));

test("[QG5] bytes have a literal as often as their text has it, with or without its capitals", () => {
  fc.assert(
    fc.property(
      letters("a", "A", "b", "(", "é"),
      letters("a", "A", "b", "("),
      fc.boolean(),
      (text, sought, isCased) => {
        fc.pre(sought !== "");
        const bytes = Buffer.from(text);
        const fold = (one: string): string => (isCased ? one : one.toLowerCase());
        const isAt = (at: number): boolean => fold(text).startsWith(fold(sought), at);
        const times = [...Array(text.length).keys()].filter(isAt).length;
        expect(new ByteFinder(sought, isCased).count(bytes, 0, bytes.length)).toBe(times);
        expect(new ByteFinder(sought, isCased).count(bytes, 1, bytes.length - 1)).toBeLessThanOrEqual(times);
      },
    ),
  );
});

test("[QG5] letters are made small one by one, and each takes the room that it took", () => {
  for (let code = 0; code < 0x10000; code += 1) {
    const letter = String.fromCharCode(code);
    expect(foldText(letter), code.toString(16)).toBe(foldLetters(letter));
    expect(foldText(letter).length).toBe(1);
  }
  fc.assert(
    fc.property(letters("aB", "É", "Σ", "ΑΣ", "\u212A", "İ", "Ⱥ", "ẞ", "日", "𐐀", "Å", "I", "\u0307"), (text) => {
      expect(foldText(text)).toBe(foldLetters(text));
    }),
  );
});

test("[QG5] bytes are made small as their text is, also where that takes more or less room", () => {
  fc.assert(
    fc.property(letters("aB", "É", "\u212A", "İ", "Ⱥ", "ẞ", "日", "𐐀", "\n"), (text) => {
      expect(foldBytes(Buffer.from(text)).toString()).toBe(foldText(text));
    }),
  );
});
