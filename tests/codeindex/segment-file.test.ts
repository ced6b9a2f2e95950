import fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentBuilder } from "../../src/codeindex/segment/builder.ts";
import { eachIn, eachWithExtra, freezeLists } from "../../src/codeindex/segment/frozen-lists.ts";
import { readHalfBytes, readSteps, writeHalfBytes, writeSteps } from "../../src/codeindex/segment/half-bytes.ts";
import type { Segment } from "../../src/codeindex/segment/segment.ts";
import { decodeSegment, encodeSegment } from "../../src/codeindex/segment/segment-file.ts";
import { listStems } from "../../src/codeindex/segment/stems.ts";
import { eachTermOf } from "../../src/codeindex/segment/terms-of-stem.ts";
import { samples } from "./samples.ts";
import { parseText } from "./scene.ts";

test("[IX21] numbers are read as they were written, however large", () => {
  const numbersBelow = (end: number) => fc.array(fc.nat({ max: end - 1 }));
  fc.assert(
    fc.property(numbersBelow(2 ** 32), numbersBelow(2 ** 30), (any, near) => {
      expect([...readHalfBytes(writeHalfBytes(any), any.length)]).toEqual(any);
      expect([...readSteps(writeSteps(near), near.length)]).toEqual(near);
    }),
  );
  expect(() => readHalfBytes(writeHalfBytes([1, 2, 3]), 9)).toThrow("too soon");
});

const steps = fc.array(fc.record({ list: fc.nat(4), step: fc.nat(70_000), extra: fc.nat(255) }), { maxLength: 40 });

test("[IX21] lists are read as they were written, with what they carry", () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (random, hasExtras) => {
      let number = 0;
      const rows = random.map(({ list, step, extra }) => {
        number += step;
        return { list, number, extra: hasExtras ? extra : 0 };
      });
      const frozen = freezeLists(5, {
        lists: Uint32Array.from(rows, ({ list }) => list),
        numbers: Uint32Array.from(rows, (row) => row.number),
        extras: hasExtras ? Uint8Array.from(rows, ({ extra }) => extra) : undefined,
      });
      const found: typeof rows = [];
      for (let list = 0; list < 5; list += 1) {
        if (hasExtras) eachWithExtra(frozen, list, (one, extra) => found.push({ list, number: one, extra }));
        else eachIn(frozen, list, (one) => found.push({ list, number: one, extra: 0 }));
      }
      expect(found).toEqual(rows.toSorted((one, other) => one.list - other.list));
    }),
  );
});

const text = fc
  .array(
    fc.constantFrom(
      "Größe_x",
      "été",
      "İstanbul_a",
      "\u212Aelvin",
      "fileNames",
      "x1",
      "\n",
      "# é\n",
      "日本",
      "def f():",
    ),
    {
      maxLength: 40,
    },
  )
  .map((words) => words.join(" "));

test("[IX21] a segment is read as it was built, and one that was cut short is refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (random) => {
      const built = await build([...samples, ...random.map((one, at) => ({ path: `${at}.py`, text: one }))]);
      const bytes = Buffer.concat(encodeSegment(built));
      const read = decodeSegment(bytes);
      if (!read) throw new Error("nothing was read");
      expect(read.chunks).toEqual(built.chunks);
      expect(read.contents).toEqual(built.contents);
      expect(Buffer.concat(encodeSegment(read)).equals(bytes)).toBe(true);
      expect(decodeSegment(bytes.subarray(0, 3))).toBeUndefined();
      expect(decodeSegment(bytes.subarray(0, 99))).toBeUndefined();
      expect(() => decodeSegment(bytes.subarray(0, -1))).toThrow("lacks");
    }),
    { numRuns: 5 },
  );
});

test("[IX21] where many words are, parts of them are found after reading as before", async () => {
  const words = Array.from({ length: 9_000 }, (_, at) => `word${at.toString(36)}Of${at % 7}`);
  const built = await build([{ path: "a.txt", text: words.join("\n") }]);
  const read = decodeSegment(Buffer.concat(encodeSegment(built)));
  expect(built.terms.parts).toBeDefined();
  expect(read?.terms.parts?.starts).toEqual(built.terms.parts?.starts);
  const wanted = { isWhole: false, isCased: false };
  for (const part of ["6Y", "d6yof", "of3", "zzz"]) {
    expect(read?.terms.find(part, wanted)).toEqual(built.terms.find(part, wanted));
  }
});

test("[IX21] a stem has the terms that are made of it, and those that are it themselves", async () => {
  await fc.assert(
    fc.asyncProperty(text, async (random) => {
      const segment = await build([...samples.slice(0, 2), { path: "a.py", text: random }]);
      const terms = Array.from({ length: segment.terms.length }, (_, term) => segment.terms.at(term));
      for (const stem of new Set(terms.flatMap(listStems))) {
        const found: number[] = [];
        eachTermOf(segment, stem, (term) => found.push(term));
        const expected = [...terms.keys()].filter((term) => listStems(terms[term] ?? "").includes(stem));
        expect(
          found.sort((one, other) => one - other),
          stem,
        ).toEqual(expected);
      }
    }),
    { numRuns: 20 },
  );
});

async function build(files: readonly { readonly path: string; readonly text: string }[]): Promise<Segment> {
  const builder = new SegmentBuilder({ isLarge: false });
  for (const { path, text } of files) {
    builder.add({ key: `0 ${path}`, bytes: Buffer.from(text), text, parsed: await parseText(path, text) });
  }
  return builder.finish();
}
