import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowingFloats } from "../../src/search/growing-floats.ts";
import { GrowingList } from "../../src/search/growing-list.ts";

const number = fc.nat({ max: 2 ** 32 - 1 });

type Step = { push: number } | { append: number[] } | { cut: number } | { set: [number, number] };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ push: number }),
  fc.record({ append: fc.array(number, { maxLength: 40 }) }),
  fc.record({ cut: fc.nat(60) }),
  fc.record({ set: fc.tuple(fc.nat(60), number) }),
);

function take(list: GrowingList, plain: number[], step: Step): void {
  if ("push" in step) {
    list.push(step.push);
    plain.push(step.push);
  } else if ("append" in step) {
    list.append(Uint32Array.from(step.append));
    plain.push(...step.append);
  } else if ("cut" in step) {
    const length = Math.min(step.cut, plain.length);
    list.cutTo(length);
    plain.length = length;
  } else if (step.set[0] < plain.length) {
    list.set(...step.set);
    plain[step.set[0]] = step.set[1];
  }
}

test("[SR1] a growing list holds what a plain one would, after any steps", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 9 }), (steps, room) => {
      const list = new GrowingList(room);
      const plain: number[] = [];
      for (const one of steps) take(list, plain, one);
      expect([...list.view()]).toEqual(plain);
      expect(list.length).toBe(plain.length);
      expect(plain.map((_, place) => list.at(place))).toEqual(plain);
    }),
  );
});

test("[SR1] a long list grows too, and a part of it can be looked at", () => {
  const list = new GrowingList();
  for (let value = 0; value < 20_000; value += 1) list.push(value);
  expect(list.length).toBe(20_000);
  expect([...list.view(9_998, 10_001)]).toEqual([9_998, 9_999, 10_000]);
});

test("[SR1] numbers in single precision are kept beyond the first room, and pushed anew after a cut", () => {
  const floats = new GrowingFloats();
  for (let place = 0; place < 3_000; place += 1) floats.push(place / 2);
  expect([0, 1_023, 1_024, 2_999].map((place) => floats.at(place))).toEqual([0, 511.5, 512, 1_499.5]);
  floats.cutTo(10);
  floats.push(7);
  expect(floats.at(10)).toBe(7);
});
