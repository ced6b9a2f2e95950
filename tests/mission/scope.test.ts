import { expect, test } from "vitest";
import { findUnexpected } from "../../src/domain/evidence/scope-rules.ts";

test.each([
  { when: "an area is a whole folder", file: "src/auth/x.ts", areas: ["auth"], fits: true },
  { when: "an area is a file's stem", file: "auth.ts", areas: ["auth"], fits: true },
  { when: "a stem has more than one ending", file: "lib/auth.test.ts", areas: ["auth"], fits: true },
  { when: "an area is only part of a word", file: "src/author.ts", areas: ["auth"], fits: false },
  { when: "letters differ in case", file: "SRC/Auth/x.ts", areas: ["auth"], fits: true },
  { when: "an area with a slash begins the path", file: "src/auth/x.ts", areas: ["src/auth"], fits: true },
  { when: "an area with a slash lies deeper", file: "lib/src/auth/x.ts", areas: ["src/auth"], fits: false },
  { when: "an area ends with a slash and begins the path", file: "src/x.ts", areas: ["src/"], fits: true },
  { when: "an area ends with a slash and lies deeper", file: "lib/src/x.ts", areas: ["src/"], fits: false },
  { when: "an area begins at the top", file: "src/x.ts", areas: ["./src"], fits: true },
  { when: "an area begins at the top and lies deeper", file: "lib/src/x.ts", areas: ["/src"], fits: false },
  { when: "an area is the top itself", file: "lib/x.ts", areas: ["./"], fits: true },
  { when: "a wildcard begins at the top", file: "src/a/x.ts", areas: ["./src/*/x.ts"], fits: true },
  { when: "a wildcard fits within a folder", file: "src/auth/x.ts", areas: ["src/*/x.ts"], fits: true },
  { when: "a wildcard does not cross folders", file: "src/a/b/x.ts", areas: ["src/*/x.ts"], fits: false },
  { when: "two stars cross folders", file: "src/a/b/x.ts", areas: ["src/**/x.ts"], fits: true },
  { when: "two stars fit no folder at all", file: "src/x.ts", areas: ["src/**/x.ts"], fits: true },
  { when: "a wildcard without a slash fits a name anywhere", file: "a/b/c.md", areas: ["*.md"], fits: true },
  { when: "no area is declared", file: "anything", areas: [], fits: true },
])("[EV11] a file fits when $when", ({ file, areas, fits }) => {
  expect(findUnexpected([file], areas)).toEqual(fits ? [] : [file]);
});

test("[EV11] a pattern made to be slow is not", () => {
  expect(findUnexpected(["a".repeat(2_000)], [`${"*a".repeat(200)}b`])).toHaveLength(1);
});
