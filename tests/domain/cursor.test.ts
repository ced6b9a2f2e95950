import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { cursorOf, seqOf } from "../../src/domain/ledger/cursor.ts";

const placeOf = (cursor: string): number | string => {
  try {
    return seqOf(cursor);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

test("[LG7] every place in the ledger comes back from its cursor", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (seq) => {
      expect(seqOf(cursorOf(seq))).toBe(seq);
      expect(cursorOf(seq)).toMatch(/^[\w-]+$/);
    }),
  );
});

test("[LG7] two places never share a cursor", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (one, other) => {
      expect(cursorOf(one) === cursorOf(other)).toBe(one === other);
    }),
  );
});

test("[LG7] any other text is refused, or is the very cursor it looks like", () => {
  const almost = fc.tuple(fc.maxSafeNat(), fc.nat(20), fc.string({ maxLength: 2 })).map(([seq, cut, noise]) => {
    const cursor = cursorOf(seq);
    return `${cursor.slice(0, cut % cursor.length)}${noise}${cursor.slice((cut % cursor.length) + 1)}`;
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), almost), (text) => {
      const place = placeOf(text);
      expect(typeof place === "number" ? cursorOf(place) === text : place === "INVALID_REQUEST").toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
