import { expect, test } from "vitest";
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
