import fc from "fast-check";
import { expect, test } from "vitest";
import type { OverlapDoc } from "../../../src/domain/overlap/engine/doc.ts";
import { OverlapIndex } from "../../../src/domain/overlap/engine/overlap-index.ts";
import { indexOf, scoreOne, workOf } from "./docs.ts";

const words =
  "add fix login token session cache invoice export import parser crash 389 390 test docs retry webhook".split(" ");
const text = (most: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((list) => list.join(" "));
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });

const someWork = (ids: fc.Arbitrary<string>): fc.Arbitrary<OverlapDoc> =>
  fc
    .record({
      id: ids,
      title: text(5),
      scope: optional(text(4)),
      description: optional(text(12)),
      action: optional(fc.constantFrom("create", "modify", "remove", "fix", "audit")),
      component: optional(fc.constantFrom("api", "web")),
      repo: optional(fc.constantFrom("one", "two")),
      files: fc.subarray(["src/a.ts", "src/b.ts", "README.md"]),
      sessionId: optional(fc.constantFrom("s1", "s2")),
      status: fc.constantFrom("planned", "active", "done"),
      at: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ title, ...known }) => workOf(title, known));

const ids = fc.constantFrom(..."abcdefghij");
const steps = fc.array(fc.oneof(someWork(ids), ids), { maxLength: 30 });

/** A piece of work is put in, a bare id is removed. */
function follow(index: OverlapIndex, list: readonly (OverlapDoc | string)[]): Map<string, OverlapDoc> {
  const left = new Map<string, OverlapDoc>();
  for (const step of list) {
    if (typeof step === "string") expect(index.remove(step)).toBe(left.delete(step));
    else {
      index.put(step);
      left.set(step.id, step);
    }
    expect(index.size).toBe(left.size);
  }
  return left;
}

test("[OV5] an index that has been changed answers as one built from what is left, in any order", () => {
  fc.assert(
    fc.property(steps, someWork(fc.constant("asked")), (list, asked) => {
      const index = new OverlapIndex();
      const left = [...follow(index, list).values()];
      const expected = indexOf(left).search(asked);
      expect(index.search(asked)).toEqual(expected);
      expect(indexOf(left.toReversed()).search(asked)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test("[OV5] so does one that has thrown away what thousands of changes left behind", () => {
  const index = new OverlapIndex();
  const docs = Array.from({ length: 40 }, (_, at) =>
    workOf(`${words[at % 16]} ${words[(at * 7) % 16]} number${at}`, {
      id: `t${at}`,
      description: `about ${words[(at * 5) % 16]}`,
    }),
  );
  for (let round = 0; round < 100; round += 1) {
    for (const doc of docs) index.put({ ...doc, title: `${doc.title} draft${round}` });
  }
  for (const doc of docs) index.put(doc);
  for (const asked of docs) expect(index.search(asked)).toEqual(indexOf(docs).search(asked));
});

test("[OV6] asking changes nothing, whatever words are asked about", () => {
  fc.assert(
    fc.property(steps, someWork(fc.constant("asked")), fc.string({ maxLength: 60 }), (list, asked, noise) => {
      const index = new OverlapIndex();
      follow(index, list);
      const before = index.search(asked);
      index.search(workOf(noise, { description: noise }));
      scoreOne(index, workOf(noise), asked);
      expect(index.search(asked)).toEqual(before);
    }),
    { numRuns: 100 },
  );
});

test("[OV6] questions that take turns, with new work between them, are answered as if each were the first", () => {
  const asked = fc.tuple(
    someWork(fc.constant("asked")),
    optional(fc.constantFrom("login", "fix-token-cache")),
    someWork(ids),
  );
  fc.assert(
    fc.property(
      fc.array(asked, { minLength: 2, maxLength: 5 }),
      fc.array(someWork(ids), { maxLength: 12 }),
      (turns, docs) => {
        const index = new OverlapIndex();
        const left = new Map<string, OverlapDoc>();
        const check = (query: OverlapDoc, other: OverlapDoc) => {
          const fresh = indexOf([...left.values()]);
          expect(index.score(query, [other])).toEqual(fresh.score(query, [other]));
          expect(index.search(query)).toEqual(fresh.search(query));
        };
        for (const doc of docs) {
          index.put(doc);
          left.set(doc.id, doc);
          for (const [query, repo, other] of turns) {
            check(query, other);
            check({ ...query, repo }, doc);
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

test("[OV7] what is skipped is not found and the limit is kept", () => {
  const index = indexOf(
    Array.from({ length: 30 }, (_, at) => workOf("Retry failed invoice webhooks", { id: `t${at}`, at })),
  );
  const asked = workOf("Retry failed invoice webhooks");

  expect(index.search(asked)).toHaveLength(10);
  expect(index.search(asked, { limit: 3, skip: (id) => id !== "t4" && id !== "t7" }).map(({ id }) => id)).toEqual([
    "t4",
    "t7",
  ]);
  expect(index.remove("t4")).toBe(true);
  expect(index.remove("t4")).toBe(false);
  expect(index.search(asked, { skip: (id) => id !== "t4" })).toEqual([]);
});

test("[OV8] work outside the index scores as it would inside of it, statistics aside", () => {
  fc.assert(
    fc.property(steps, someWork(fc.constant("asked")), (list, asked) => {
      const index = new OverlapIndex({ settings: { warnFloor: 0 } });
      const left = follow(index, list);
      for (const match of index.search(asked, { limit: 20 })) {
        const doc = left.get(match.id);
        if (doc) expect(scoreOne(index, asked, doc)).toEqual(match);
      }
      const all = [...left.values()];
      expect(index.score(asked, all, { isIndexed: () => true })).toEqual(index.score(asked, all));
    }),
    { numRuns: 100 },
  );
});

test("[OV9, OV16] a score lies between 0 and 1, does not depend on the side, nor on what keeps it from escalating", () => {
  fc.assert(
    fc.property(steps, someWork(fc.constant("one")), someWork(fc.constant("other")), (list, one, other) => {
      const index = new OverlapIndex();
      follow(index, list);
      const match = scoreOne(index, one, other);
      expect(match.score).toBeGreaterThanOrEqual(0);
      expect(match.score).toBeLessThanOrEqual(1);
      const turned = scoreOne(index, { ...other, at: one.at }, { ...one, at: other.at, status: other.status });
      expect(turned.score).toBe(match.score);
      expect(turned.escalates).toBe(match.escalates);
      const free = { action: null, sessionId: null };
      expect(scoreOne(index, { ...one, ...free }, { ...other, ...free, status: "active" }).score).toBe(match.score);
      if (match.suppressedBy !== null) expect(match.escalates).toBe(false);
    }),
    { numRuns: 200 },
  );
});
