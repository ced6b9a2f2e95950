import fc from "fast-check";
import { expect, test } from "vitest";
import { Postings, placeOf, timesOf } from "../../src/search/postings.ts";

const posting = fc.record({ term: fc.nat(30), place: fc.nat(2 ** 26 - 2), times: fc.integer({ min: 1, max: 200 }) });

test("[SR2] every term lists its places in order, with how often it occurs there", () => {
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 120 }), (added) => {
      const postings = new Postings();
      for (const { term, place, times } of added) postings.add(term, place, times);
      for (let term = 0; term <= 31; term += 1) {
        const expected = added
          .filter((one) => one.term === term)
          .map(({ place, times }) => ({ place, times: Math.min(times, 63) }));
        const found = [...postings.list(term)].map((one) => ({ place: placeOf(one), times: timesOf(one) }));
        expect(found).toEqual(expected);
      }
    }),
  );
});
