import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CodeClaim } from "../../src/domain/claim/model.ts";
import { findMeetings, listFilesIn, readClaimed, tidyArea } from "../../src/domain/claim/rules.ts";
import { doGlobsMeet, mostAlternatives, tidyGlob } from "../../src/domain/glob.ts";

const doMeet = (one: string, other: string): boolean =>
  doGlobsMeet(readClaimed(tidyGlob(one)), readClaimed(tidyGlob(other)));

test.each([
  { rule: "CC2", one: "src/*.ts", other: "src/a.ts", meets: true },
  { rule: "CC2", one: "src/*.ts", other: "src/a/b.ts", meets: false },
  { rule: "CC2", one: "src/**/*.ts", other: "src/a/b/c.ts", meets: true },
  { rule: "CC2", one: "src/**/*.ts", other: "src/c.ts", meets: true },
  { rule: "CC2", one: "src/?.ts", other: "src/ab.ts", meets: false },
  { rule: "CC2", one: "src/?.ts", other: "src/ä.ts", meets: true },
  { rule: "CC2", one: "src/?.ts", other: "src/💡.ts", meets: true },
  { rule: "CC2", one: "*.{ts,tsx}", other: "view.tsx", meets: true },
  { rule: "CC2", one: "*.{ts,tsx}", other: "view.css", meets: false },
  { rule: "CC2", one: "{src,tests/{unit,slow}}/a.ts", other: "tests/slow/a.ts", meets: true },
  { rule: "CC2", one: "{src,tests/{unit,slow}}/a.ts", other: "tests/a.ts", meets: false },
  { rule: "CC2", one: "{id}/a.ts", other: "id/a.ts", meets: false },
  { rule: "CC2", one: "x{a{b}c,d}", other: "xa{b}c", meets: true },
  { rule: "CC2", one: "app/[id]/page.tsx", other: "app/[id]/page.tsx", meets: true },
  { rule: "CC2", one: "app/[id]/page.tsx", other: "app/i/page.tsx", meets: false },
  { rule: "CC2", one: "a**b/c", other: "axxb/c", meets: true },
  { rule: "CC2", one: "a**b/c", other: "ax/xb/c", meets: false },
  { rule: "CC2", one: ".*", other: ".env", meets: true },
  { rule: "CC3", one: "src/login", other: "src/login/form.ts", meets: true },
  { rule: "CC3", one: "src/login/", other: "src/login/a/b.ts", meets: true },
  { rule: "CC3", one: "src/login", other: "src/login.ts", meets: false },
  { rule: "CC3", one: "src/a.ts", other: "**/*.test.ts", meets: false },
  { rule: "CC3", one: "src/v1.2/", other: "src/v1.2/a.ts", meets: true },
  { rule: "CC3", one: ".github", other: ".github/a.yml", meets: true },
  { rule: "CC3", one: "src/*", other: "src/a/b.ts", meets: false },
  { rule: "CC3", one: "src/*/", other: "src/a/b.ts", meets: true },
  { rule: "CC3", one: ".", other: "anything/at/all", meets: true },
  { rule: "CC4", one: "./src//a.ts", other: "src\\a.ts", meets: true },
  { rule: "CC4", one: "e\u0301.ts", other: "\u00e9.ts", meets: true },
  { rule: "CC4", one: "**/test/**", other: "src/**/form.ts", meets: true },
  { rule: "CC4", one: "a*/x", other: "*b/x", meets: true },
  { rule: "CC4", one: "a*c", other: "ab*d", meets: false },
  { rule: "CC4", one: "A.ts", other: "a.ts", meets: false },
])("[$rule] $one and $other: $meets", ({ one, other, meets }) => {
  expect(doMeet(one, other)).toBe(meets);
  expect(doMeet(other, one)).toBe(meets);
});

test("[CC2] braces that stand for too many patterns are refused, and repeats are counted once", () => {
  const groups = (count: number, group: string) => tidyGlob(group.repeat(count));
  expect(readClaimed(groups(6, "{a,b}"))).toHaveLength(mostAlternatives);
  expect(() => readClaimed(groups(7, "{a,b}"))).toThrow(/more than 64/);
  expect(() => readClaimed(groups(60, "{a,b}"))).toThrow(/more than 64/);
  expect(readClaimed(groups(60, "{a,aa}"))).toHaveLength(61);
  expect(() => tidyGlob("!src")).toThrow(/not what is left out/);
});

/** A matcher of its own kind: what it answers for every small path decides whether two patterns meet. */
const fits = (pattern: readonly string[], path: readonly string[]): boolean => {
  const [head, ...rest] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === "**") return fits(rest, path) || (path.length > 0 && fits(pattern, path.slice(1)));
  const [name, ...below] = path;
  return name !== undefined && nameFits([...head], [...name]) && fits(rest, below);
};

const nameFits = (pattern: readonly string[], name: readonly string[]): boolean => {
  const [head, ...rest] = pattern;
  if (head === undefined) return name.length === 0;
  if (head === "*") return nameFits(rest, name) || (name.length > 0 && nameFits(pattern, name.slice(1)));
  return name.length > 0 && (head === "?" || head === name[0]) && nameFits(rest, name.slice(1));
};

const everyList = <T>(of: readonly T[], longest: number): T[][] => {
  const lists: T[][] = [[]];
  for (let from = 0, length = 1; length <= longest; length += 1) {
    const end = lists.length;
    for (; from < end; from += 1) for (const one of of) lists.push([...(lists[from] ?? []), one]);
  }
  return lists.filter((list) => list.length > 0);
};

describe("against every path there is", () => {
  test("[CC4] names of up to four signs meet exactly when one of all texts fits both", () => {
    const texts = everyList(["a", "b"], 6);
    const name = fc.array(fc.constantFrom("a", "b", "?", "*"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        const patterns = [one, other].map((signs) => [...signs.join("").replaceAll(/\*+/g, "*")]);
        const expected = texts.some((text) => patterns.every((pattern) => nameFits(pattern, text)));
        // A folder in front and a name behind keep the name from being a folder or a `**` of its own.
        expect(doMeet(`x/${one.join("")}-/z*`, `x/${other.join("")}-/z*`)).toBe(expected || areBothMany(patterns));
      }),
      { numRuns: 5_000 },
    );
  });

  test("[CC4] patterns of up to three names meet exactly when one of all paths fits both", () => {
    const paths = everyList(["a", "b", "ab"], 6);
    const segment = fc.constantFrom("a", "b", "ab", "*", "?", "a*", "*b", "**");
    const pattern = fc.array(segment, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        const read = [one, other].map((segments) => [...segments, ...(isPlain(segments.at(-1)) ? ["**"] : [])]);
        const expected = paths.some((path) => read.every((segments) => fits(segments, path)));
        expect(doMeet(one.join("/"), other.join("/"))).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test("[CC2] braces mean exactly what is written out", () => {
    const part = fc.constantFrom("a", "b", "*", "a/b", "**");
    const choices = fc.array(part, { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(part, choices, part, choices, (head, first, middle, second) => {
        const written = `${head}/{${first}}/${middle}/{${second}}`;
        const spelled = first.flatMap((one) => second.map((two) => `${head}/${one}/${middle}/${two}`));
        for (const other of ["a/b/a/b", "a/a/*/a/b", "b/**", "*/*/*/*"]) {
          expect(doMeet(written, other)).toBe(spelled.some((one) => doMeet(one, other)));
        }
      }),
    );
  });

  const isPlain = (name: string | undefined): boolean => name !== undefined && !/[*?]/.test(name);
  /** Only names of stars alone also fit the empty text, which stands before the hyphen. */
  const areBothMany = (patterns: readonly string[][]): boolean =>
    patterns.every((pattern) => pattern.every((sign) => sign === "*"));
});

const claimOn = (area: Partial<CodeClaim>): CodeClaim => ({
  id: "cl_held" as CodeClaim["id"],
  developerId: "dev_ada" as CodeClaim["developerId"],
  sessionId: null,
  taskId: null,
  repo: "shop",
  branch: null,
  paths: [],
  symbols: [],
  isExclusive: true,
  fence: 1,
  ttlMinutes: 120,
  expiresAt: 1,
  endedAt: null,
  endReason: null,
  createdAt: 0,
  updatedAt: 0,
  version: 1,
  ...area,
});

const wants = (area: { paths?: string[]; symbols?: string[]; branch?: string | null; repo?: string }) =>
  tidyArea({ repo: "shop", branch: null, paths: [], symbols: [], ...area });

test.each([
  { rule: "CC5", wanted: { symbols: ["verify"] }, held: { symbols: ["verify"] }, paths: [], symbols: ["verify"] },
  { rule: "CC5", wanted: { symbols: ["verify"] }, held: { symbols: ["Verify"] } },
  { rule: "CC5", wanted: { symbols: ["verify"] }, held: { symbols: ["src/a.ts#verify"] } },
  {
    rule: "CC5",
    wanted: { symbols: ["./src/a.ts#verify", "src/b.ts#run"] },
    held: { paths: ["src/a.*"] },
    paths: [],
    symbols: ["src/a.ts#verify"],
  },
  {
    rule: "CC5",
    wanted: { paths: ["src/**", "docs"] },
    held: { symbols: ["src/a.ts#verify"] },
    paths: ["src/**"],
    symbols: [],
  },
  { rule: "CC5", wanted: { paths: ["src/**"] }, held: { symbols: ["verify", "#hash"] } },
  { rule: "CC6", wanted: { paths: ["a"], branch: "x" }, held: { paths: ["a"], branch: "y" } },
  { rule: "CC6", wanted: { paths: ["a"], branch: "x" }, held: { paths: ["a"] }, paths: ["a"], symbols: [] },
  { rule: "CC6", wanted: { paths: ["a"] }, held: { paths: ["a"], branch: "y" }, paths: ["a"], symbols: [] },
  { rule: "CC6", wanted: { paths: ["a"], repo: "other" }, held: { paths: ["a"] } },
])("[$rule] $wanted and $held", ({ wanted, held, paths, symbols }) => {
  const claim = claimOn(held);
  expect(findMeetings(wants(wanted), [claim])).toEqual(paths ? [{ held: claim, paths, symbols }] : []);
});

test("[CC2] a file is looked for by its own name, whatever characters are in it", () => {
  const files = ["src/a.ts", "src/{x,y}.ts", "docs/a*b.md", "src\\win.ts", "srcs/a.ts"];
  expect(listFilesIn({ paths: ["src"] }, files)).toEqual(["src/a.ts", "src/{x,y}.ts", "src\\win.ts"]);
});

test("[CC7] an area is tidied: one way of writing, no repeats, nothing empty, nothing boundless", () => {
  expect(wants({ paths: ["./a", "a", "b//c"], symbols: [" x ", "x", "./f.ts#y"] })).toEqual({
    repo: "shop",
    branch: null,
    paths: ["a", "b/c"],
    symbols: ["x", "f.ts#y"],
  });
  expect(() => wants({})).toThrow(/names files or symbols/);
  expect(() => wants({ paths: Array.from({ length: 5 }, (_, at) => `${at}${"x".repeat(900)}`) })).toThrow(/characters/);
});
