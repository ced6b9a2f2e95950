import fc from "fast-check";
import { expect, test } from "vitest";
import { Vocabulary } from "../../src/search/vocabulary.ts";

const word = fc.string({ minLength: 1, maxLength: 3 });

test("[SR3] a term keeps its number, also past others that came and were cut off", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.array(word, { maxLength: 20 }), (kept, passing) => {
      const vocabulary = new Vocabulary();
      const numbers = kept.map((term) => vocabulary.number(term));
      const length = vocabulary.length;
      for (const term of passing) vocabulary.number(term);
      vocabulary.cutTo(length);
      expect(vocabulary.length).toBe(new Set(kept).size);
      expect(kept.map((term) => vocabulary.number(term))).toEqual(numbers);
      expect(numbers.map((number) => vocabulary.term(number))).toEqual(kept);
    }),
  );
});

test("[SR3] counts follow every recount, and a number given out anew starts at none", () => {
  const vocabulary = new Vocabulary();
  const first = vocabulary.number("retry");
  const second = vocabulary.number("queue");
  vocabulary.recount(first, 1);
  vocabulary.recount(first, 1);
  vocabulary.recount(second, 1);
  vocabulary.recount(first, -1);
  expect([vocabulary.count(first), vocabulary.count(second)]).toEqual([1, 1]);
  vocabulary.cutTo(1);
  expect(vocabulary.count(vocabulary.number("socket"))).toBe(0);
});
