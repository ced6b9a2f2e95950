import fc from "fast-check";
import { expect, test } from "vitest";
import { foldText } from "../../src/codeindex/query/fold.ts";
import { WordBlob } from "../../src/codeindex/segment/word-blob.ts";

const words = ["", "Cache", "cache", "cacheKey", "CACHE", "Größe", "größe", "key", "a b", "x".repeat(300)];
const blob = WordBlob.of(words);
const numbersOf = (isWanted: (word: string) => boolean): number[] =>
  [...words.keys()].filter((number) => isWanted(words[number] ?? ""));

test("[QG5] a whole word is found wherever it is, with or without its capitals", () => {
  for (const word of [...words, "cach", "Key", "missing"]) {
    expect(blob.find(word, { isWhole: true, isCased: true })).toEqual(numbersOf((one) => one === word));
    const small = word.toLowerCase();
    expect(blob.find(word, { isWhole: true, isCased: false })).toEqual(numbersOf((one) => one.toLowerCase() === small));
  }
  expect(WordBlob.of([]).find("", { isWhole: true, isCased: true })).toEqual([]);
});

test("[QG5] a part of a word is found in every word that has it, each time it is asked for", () => {
  for (const part of ["a", "ache", "KEY", " ", "ö", "A", "a", "ache"]) {
    expect(blob.find(part, { isWhole: false, isCased: true })).toEqual(numbersOf((one) => one.includes(part)));
    const small = part.toLowerCase();
    expect(blob.find(part, { isWhole: false, isCased: false })).toEqual(
      numbersOf((one) => one.toLowerCase().includes(small)),
    );
  }
});

test("[QG5] a part may have to begin or to end a word", () => {
  for (const part of ["c", "Key", "e", "größe", "cachekey"]) {
    const find = (at: object) => blob.find(part, { isWhole: false, isCased: false, ...at });
    const has = (isThere: (word: string) => boolean) => numbersOf((one) => isThere(one.toLowerCase()));
    const small = part.toLowerCase();
    expect(find({ begins: true })).toEqual(has((word) => word.startsWith(small)));
    expect(find({ ends: true })).toEqual(has((word) => word.endsWith(small)));
    expect(find({ begins: true, ends: true })).toEqual(has((word) => word === small));
  }
});

test("[QG5] words are told apart where small letters take more room, and others less", () => {
  // One grows by a byte, the other shrinks by one: the whole is as long as before.
  const moved = WordBlob.of(["ȺbC", "deF", "ẞgh", "DEF"]);
  expect(moved.find("def", { isWhole: false, isCased: false })).toEqual([1, 3]);
  expect(moved.find("bc", { isWhole: false, isCased: false })).toEqual([0]);
  expect(moved.find("gh", { isWhole: false, isCased: false })).toEqual([2]);
});

/** Parts that meet in many words, at their ends too, with letters that fold oddly or not at all. */
const syllable = fc.constantFrom("ca", "Che", "KEY", "_", "x1", "İ", "\u212A", "ß", "É", "日本", "z");
const many = fc.array(
  fc.array(syllable, { maxLength: 4 }).map((parts) => parts.join("")),
  {
    minLength: 4_096,
    maxLength: 4_400,
  },
);
const part = fc.array(syllable, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));

test("[QG5] among many words a part is found in just those that have it", () => {
  fc.assert(
    fc.property(
      many,
      fc.array(fc.record({ part, isCased: fc.boolean(), begins: fc.boolean(), ends: fc.boolean() }), { minLength: 8 }),
      (all, asks) => {
        const large = WordBlob.withParts(all);
        expect(large.parts).toBeDefined();
        for (const { part: sought, ...how } of asks) {
          const fold = (text: string): string => (how.isCased ? text : foldText(text));
          const [begin, end] = [how.begins ? "\n" : "", how.ends ? "\n" : ""];
          const isThere = (word: string) => `\n${fold(word)}\n`.includes(`${begin}${fold(sought)}${end}`);
          const expected = [...all.keys()].filter((number) => isThere(all[number] ?? ""));
          expect(large.find(sought, { isWhole: false, ...how }), sought).toEqual(expected);
        }
      },
    ),
    { numRuns: 10 },
  );
});
