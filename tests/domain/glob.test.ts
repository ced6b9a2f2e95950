import fc from "fast-check";
import { expect, test } from "vitest";
import { doGlobsMeet, fitsGlob, type GlobOptions, readGlob } from "../../src/domain/glob.ts";

const fits = (pattern: string, file: string, options: GlobOptions): boolean =>
  fitsGlob(readGlob(pattern, options), file, options);

const everyOption: readonly GlobOptions[] = [false, true].flatMap((ignoresCase) =>
  [false, true].flatMap((opensBraces) =>
    (["folder-names", "plain-paths"] as const).flatMap((standsForBelow) =>
      (["at-top", "anywhere"] as const).map((bareNames) => ({ ignoresCase, opensBraces, standsForBelow, bareNames })),
    ),
  ),
);

/** The same words, read by trying everything. */
function fitsSlowly(pattern: string, file: string, options: GlobOptions): boolean {
  if (options.ignoresCase) {
    return fitsSlowly(pattern.toUpperCase(), file.toUpperCase(), { ...options, ignoresCase: false });
  }
  const braces = options.opensBraces ? /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern) : null;
  if (braces) {
    const [, before = "", choices = "", after = ""] = braces;
    return choices.split(",").some((choice) => fitsSlowly(`${before}${choice}${after}`, file, options));
  }
  const names = file.split("/");
  const isLoose = /[*?]/.test(pattern);
  if (options.bareNames === "anywhere" && !pattern.includes("/")) {
    if (pattern === "**" || names.some((name) => nameFits(pattern, name))) return true;
    return !isLoose && (names.at(-1) ?? "").startsWith(`${pattern}.`);
  }
  const wanted = pattern.split("/").filter((name) => name !== "" && name !== ".");
  const last = wanted.at(-1) ?? "**";
  const isFolder = !/[*?]/.test(last) && !/.\./s.test(last);
  const isBelowMeant = options.standsForBelow === "plain-paths" ? !isLoose : isFolder;
  return rowFits(pattern.endsWith("/") || isBelowMeant ? [...wanted, "**"] : wanted, names);
}

function rowFits([head, ...rest]: readonly string[], names: readonly string[]): boolean {
  if (head === undefined) return names.length === 0;
  if (head === "**") return rowFits(rest, names) || (names.length > 0 && rowFits([head, ...rest], names.slice(1)));
  return names.length > 0 && nameFits(head, names[0] ?? "") && rowFits(rest, names.slice(1));
}

function nameFits(pattern: string, name: string): boolean {
  const [head, ...tail] = [...pattern];
  const rest = tail.join("");
  const [letter, ...letters] = [...name];
  if (head === undefined) return letter === undefined;
  if (head === "*") return nameFits(rest, name) || (letter !== undefined && nameFits(pattern, letters.join("")));
  return letter !== undefined && (head === "?" || head === letter) && nameFits(rest, letters.join(""));
}

const wordOf = (...signs: string[]) =>
  fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
const path = (name: fc.Arbitrary<string>) =>
  fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const file = path(wordOf("a", "b", "A", ".", "💡").filter((name) => name !== "."));
const anyPattern = fc
  .tuple(
    fc.constantFrom("", "/"),
    path(wordOf("a", "b", "A", "x.", "*", "?", "**", "{a,b}", "{a", "💡")),
    fc.constantFrom("", "/"),
  )
  .map((parts) => parts.join(""))
  // Seven pairs of braces stand for more patterns than are allowed.
  .filter((pattern) => pattern.split("{a,b}").length <= 7);

/** A file made looser here and there, so that it often still fits. */
const loosened = (name: string) =>
  fc
    .tuple(
      fc.constantFrom("", "", "/"),
      fc.tuple(...name.split("/").map((segment) => loosenedName(segment))),
      fc.constantFrom(0, 0, 1, 2),
      fc.constantFrom("", "", "/"),
    )
    .map(([before, names, cut, after]) => `${before}${names.slice(cut).join("/")}${after}`)
    .filter((pattern) => pattern !== "");

const loosenedName = (segment: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(segment) },
    { weight: 1, arbitrary: fc.constantFrom("*", "**", "***", "?*", "{a,b}", `{${segment},b/a}`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(...[...segment].map((letter) => fc.constantFrom(letter, letter, "?", "*", "", letter.toUpperCase())))
        .map((letters) => letters.join("")),
    },
  );

const fileAndPatterns = file.chain((name) =>
  fc.tuple(fc.constant(name), fc.oneof(loosened(name), anyPattern), loosened(name)),
);

test.each(everyOption)("[GL1, GL2] files fit as a slow reading says, and what one file fits meets: %o", (options) => {
  let fitting = 0;
  fc.assert(
    fc.property(fileAndPatterns, ([name, one, other]) => {
      const [doesOne, doesOther] = [fits(one, name, options), fits(other, name, options)];
      expect([doesOne, doesOther]).toEqual([fitsSlowly(one, name, options), fitsSlowly(other, name, options)]);
      if (!doesOne || !doesOther) return;
      fitting += 1;
      expect(doGlobsMeet(readGlob(one, options), readGlob(other, options))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  // The cases are worth something only while many of them fit.
  expect(fitting).toBeGreaterThan(50);
});

const claims: GlobOptions = { opensBraces: true, standsForBelow: "folder-names", bareNames: "at-top" };
const areas: GlobOptions = { ignoresCase: true, standsForBelow: "plain-paths", bareNames: "anywhere" };

test("[GL2] signs in the name of a file are plain characters", () => {
  expect(fits("docs/a*b.md", "docs/a*b.md", claims)).toBe(true);
  expect(fits("docs/axb.md", "docs/a*b.md", claims)).toBe(false);
  expect(fits("docs/a/b.md", "docs/**/b.md", claims)).toBe(false);
  expect(fits("e\u0301.ts", "\u00e9.ts", claims)).toBe(true);
  expect(fits("\u00e9.ts", "e\u0301.ts", areas)).toBe(true);
});

test.each([
  { when: "stars that never end", wanted: `${"*a".repeat(250)}b`, name: "a".repeat(4_000) },
  { when: "a long piece after a star", wanted: `*${"a".repeat(250)}b`, name: "a".repeat(4_000) },
  { when: "question marks", wanted: `*${"?".repeat(250)}b`, name: "a".repeat(4_000) },
  { when: "folders that never end", wanted: `${"**/a/".repeat(125)}b`, name: "a/".repeat(2_000).slice(0, -1) },
  { when: "stars in folders", wanted: `${"**/*a*a/".repeat(60)}b`, name: "aaaa/".repeat(800).slice(0, -1) },
  { when: "braces in braces", wanted: `${"{a,".repeat(60)}a${"}".repeat(60)}b`, name: "a".repeat(4_000) },
])("[GL3] $when cost little", ({ wanted, name }) => {
  // Backtracking would take longer than any test may.
  for (const options of [claims, areas]) {
    expect(fits(wanted, name, options)).toBe(false);
    expect(doGlobsMeet(readGlob(wanted, options), readGlob(wanted, options))).toBe(true);
  }
});

test.each([
  { wanted: "/*.md", name: "a.md", does: true },
  { wanted: "./*.md", name: "docs/a.md", does: false },
  { wanted: "*.md", name: "docs/a.md", does: true },
  { wanted: "./src/", name: "src/a.ts", does: true },
  { wanted: "/src", name: "lib/src/a.ts", does: false },
])("[GL4] $wanted and $name: $does", ({ wanted, name, does }) => {
  expect(fits(wanted, name, areas)).toBe(does);
});
