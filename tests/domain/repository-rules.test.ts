import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { checkIsNotTooWide, nameOfPath, normaliseRepositoryPath } from "../../src/domain/project/rules.ts";

const outcomeOf = (path: string): string => {
  try {
    const normal = normaliseRepositoryPath(path);
    checkIsNotTooWide(normal);
    return normal;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

describe("the one spelling of a path", () => {
  for (const { rule, when, path, outcome } of [
    { rule: "RP3", when: "a plain path stays", path: "/srv/code/shop", outcome: "/srv/code/shop" },
    { rule: "RP3", when: "a separator at the end goes", path: "/srv/code/shop//", outcome: "/srv/code/shop" },
    { rule: "RP3", when: "doubled separators and dots go", path: "//srv///./code/./shop", outcome: "/srv/code/shop" },
    { rule: "RP3", when: "case and blanks stay", path: "/srv/My Code/Shop ", outcome: "/srv/My Code/Shop " },
    { rule: "RP3", when: "dots in names stay", path: "/srv/..code/...", outcome: "/srv/..code/..." },
    { rule: "RP3", when: "a backslash is a letter where / separates", path: "/srv/a\\b\\", outcome: "/srv/a\\b\\" },
    { rule: "RP3", when: "a drive letter is upper case", path: "c:/work//shop/", outcome: "C:\\work\\shop" },
    { rule: "RP3", when: "a drive's own separators stay", path: "C:\\work\\shop\\", outcome: "C:\\work\\shop" },
    { rule: "RP4", when: "a relative path is none", path: "srv/code", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a dot is none", path: ".", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a tilde is none", path: "~/code", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a drive without a root is none", path: "C:work", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "an address is none", path: "https://host/repo", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a step up is refused", path: "/srv/code/../etc", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a step up at the end is refused", path: "/srv/code/..", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a step up by backslash is refused", path: "/srv\\..\\etc", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a step up on a drive is refused", path: "C:\\work\\..\\x", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "U+0000 is refused", path: "/srv/a\0b", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a line break is refused", path: "/srv/a\nb", outcome: "INVALID_INPUT" },
    { rule: "RP4", when: "a C1 control character is refused", path: "/srv/a\u0085b", outcome: "INVALID_INPUT" },
    { rule: "RP5", when: "the root is too wide", path: "/", outcome: "FORBIDDEN" },
    { rule: "RP5", when: "the root in disguise is too wide", path: "//.//", outcome: "FORBIDDEN" },
    { rule: "RP5", when: "a drive is too wide", path: "d:\\", outcome: "FORBIDDEN" },
    { rule: "RP5", when: "root's home is too wide", path: "/root/", outcome: "FORBIDDEN" },
    { rule: "RP5", when: "everybody's home is too wide", path: "/home", outcome: "FORBIDDEN" },
    { rule: "RP5", when: "somebody's home is too wide", path: "/home/ada", outcome: "FORBIDDEN" },
    { rule: "RP5", when: "a home on a Mac is too wide", path: "/Users/ada/", outcome: "FORBIDDEN" },
    {
      rule: "RP5",
      when: "a home on Windows is too wide, however it is written",
      path: "c:/users/Ada",
      outcome: "FORBIDDEN",
    },
    { rule: "RP5", when: "a folder in a home is not", path: "/home/ada/code", outcome: "/home/ada/code" },
    {
      rule: "RP5",
      when: "a folder in a home on Windows is not",
      path: "C:\\Users\\Ada\\c",
      outcome: "C:\\Users\\Ada\\c",
    },
  ]) {
    test(`[${rule}] ${when}`, () => {
      expect(outcomeOf(path)).toBe(outcome);
    });
  }

  const step = fc.oneof(
    fc.constantFrom("", ".", "a", "b c", "...", "é", "x\\y", "C:"),
    fc.string({ unit: "grapheme", maxLength: 5 }),
  );
  const path = fc
    .tuple(fc.constantFrom("/", "//", "C:\\", "c:/", "z:\\\\"), fc.array(step), fc.constantFrom("/", "\\"))
    .map(([root, steps, separator]) => root + steps.join(separator));

  test("[RP3] a path that was normalised stays as it is", () => {
    fc.assert(
      fc.property(path, (given) => {
        const once = outcomeOf(given);
        fc.pre(!["INVALID_INPUT", "FORBIDDEN"].includes(once));
        expect(normaliseRepositoryPath(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  test("[RP3] every accepted path has a name and no trailing separator", () => {
    fc.assert(
      fc.property(path, (given) => {
        const normal = outcomeOf(given);
        fc.pre(!["INVALID_INPUT", "FORBIDDEN"].includes(normal));
        expect(nameOfPath(normal)).not.toBe("");
        expect(normal.endsWith("/")).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
