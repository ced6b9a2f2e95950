import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  answersOf,
  findLanguage,
  grammarOf,
  grammars,
  isProse,
  languageNames,
  languageOf,
} from "../../src/codeindex/parse/languages.ts";
import {
  chunkKinds,
  countFacts,
  factStride,
  flagFacts,
  type SyntaxFilter,
  wordFacts,
} from "../../src/codeindex/parsed-file.ts";

test.each([
  ["src/a.ts", "typescript", "typescript"],
  ["src/View.TSX", "typescript", "tsx"],
  ["tool.py", "python", "python"],
  ["a.b/Makefile", "makefile", undefined],
  ["include/list.h", "c", "cpp"],
  ["docs/README", "text", undefined],
  ["docs/guide.md", "markdown", undefined],
  ["odd.name\nwith lines", "text", undefined],
  [".gitignore", "text", undefined],
])("[PA1] %j is %s", (path, language, grammar) => {
  const found = languageOf(path);
  expect(found).toBe(language);
  expect(grammarOf(path, found)).toBe(grammar);
});

test("[PA1] people find a language by what they call it", () => {
  const said = {
    ts: "typescript",
    " Python ": "python",
    "c#": "csharp",
    golang: "go",
    md: "markdown",
    klingon: undefined,
  };
  for (const [word, language] of Object.entries(said)) expect(findLanguage(word)).toBe(language);
  for (const language of languageNames) expect(findLanguage(language)).toBe(language);
});

test("[PA2] every filter on syntax is answered by a language, and only those with a grammar answer any", () => {
  const filters: readonly SyntaxFilter[] = [...wordFacts, ...countFacts, ...flagFacts, "import", "signature"];
  const answered = new Set(languageNames.flatMap((language) => [...answersOf(language)]));
  expect([...answered].sort()).toEqual([...filters].sort());
  for (const language of languageNames)
    expect(answersOf(language).size > 0).toBe(grammarOf("x", language) !== undefined);
  const used = languageNames.map((language) => grammarOf("x", language)).filter((grammar) => grammar !== undefined);
  expect(new Set([...used, "tsx"])).toEqual(new Set(grammars));
});

test("[PA2] prose has no syntax to ask for", () => {
  expect(languageNames.filter((language) => isProse(language) && answersOf(language).size > 0)).toEqual([]);
  expect(chunkKinds.length).toBe(10);
  expect(factStride).toBeGreaterThan(wordFacts.length);
});

test("[IX22] the table of languages in the documents is the parsers' own", () => {
  const document = readFileSync(new URL("../../docs/code-facts.md", import.meta.url), "utf8");
  const [text = ""] = /## By language\n.*?(?=\n## )/s.exec(document) ?? [];
  const wordsIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);
  const common = wordsIn(text.slice(0, text.indexOf("| language |")));
  const told = [...text.matchAll(/^\| (\w+) \| (.+?) \| ?(.*?) ?\|$/gm)]
    .slice(1)
    .map(([, name, first = "", more = ""]) => {
      const filters = first === "all of these" ? common : wordsIn(first);
      return [name, [...filters, ...wordsIn(more)].sort()];
    });
  const answered = languageNames.filter((language) => answersOf(language).size > 0);
  expect(told).toEqual(answered.map((language) => [language, [...answersOf(language)].sort()]));
});
