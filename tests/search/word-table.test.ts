import fc from "fast-check";
import { expect, test } from "vitest";
import { WordTable } from "../../src/search/word-table.ts";

/** What the table says about each word of a text, by a rule that anyone can repeat. */
const learn = (word: string): number[] => Array.from({ length: word.length % 3 }, (_, at) => word.length * 10 + at);

test("[OV4] however many words a table has room for, it answers what was learned, also after it has started anew", () => {
  const word = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (words, most) => {
      const table = new WordTable(most);
      for (const one of [...words, ...words]) {
        const text = `<${one}>`;
        const known = table.find(text, 1, 1 + one.length, learn);
        expect(known >= 0 ? [known] : table.list(known)).toEqual(learn(one));
      }
    }),
  );
});

test("[OV4] a word that is known is not learned again", () => {
  const table = new WordTable(4);
  const learned: string[] = [];
  for (const text of ["retry", "retry", "backoff", "retry"]) {
    table.find(text, 0, text.length, (word) => {
      learned.push(word);
      return [1];
    });
  }
  expect(learned).toEqual(["retry", "backoff"]);
});
