import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { repository } from "./planted-tree.ts";

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

const { parseSource, walk } = (await import(
  pathToFileURL(join(repository, "scripts/steps/syntax.mjs")).href
)) as unknown as {
  parseSource(text: string, path: string): { tree: Node };
  walk(node: Node): Iterable<Node>;
};

/** Phrases that read as translated, and what to say instead. They come back easily, so they are looked for. */
const phrases: Readonly<Record<string, string>> = {
  "came aboard": "joined",
  "fell silent": "went offline",
  "counts as gone": "went offline",
  "looked through for doubles": "checked for duplicates",
  "at odds": "conflicts",
  "was written down": "created",
  "write the week": "generate summary",
  "a token was made": "token created",
  "make a token": "create token",
  "what came of it": "outcome",
  "wanted all the same": "start anyway",
  "to begin all the same": "reason",
  "waits for a verdict": "needs a decision",
  "wait for a verdict": "need a decision",
  "the check counts for": "valid for",
  "may be done twice": "possible duplicate",
  "none is like another": "no duplicates",
  "is so like it": "no close match",
  "show who has left": "show offline",
  "show what is over": "show completed",
  "who has left": "offline",
  "turn away": "deny",
  "asks to be let in": "requests access",
  "cost was off": "cost mismatch",
  "out of the cache": "cached tokens",
  "look again": "refresh, check again",
  "colours of the system": "system theme",
  "nothing is called that": "no results",
  "address leads nowhere": "page not found",
  "not said": "—",
  "is there already": "existing, already exists",
  "by your verdict": "you marked this as",
  "named alike by everyone": "use the same name across the team",
  "token knows better": "overridden by the token's type",
  "that shall sign in": "to sign in another machine",
  "the wish itself": "the request",
  "where the wish came from": "source of the request",
};

/** Single words, which only strings are searched for: prose of the documents has other uses for them. */
const words: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\balike\b/, "similar"],
  [/\bbegun\b/, "started"],
  [/\bwish(es)?\b/, "request"],
  [/\banew\b/, "again"],
  [/(^|\d) %/, "61%"],
];

const rooms = ["src/transports", "src/tools", "src/contract", "src/domain", "src/adapters", "src/dashboard"];

const filesIn = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|md)$/.test(name) && !/^(decisions|spec|tools)\//.test(name))
    .map((name) => join(folder, name));

/** What somebody may get to read of a file of code: its strings of several words, with a figure for each value in them. */
function stringsIn(text: string, path: string): string[] {
  return [...walk(parseSource(text, path).tree)]
    .flatMap(({ type, value, quasis }) => {
      if (type === "TemplateLiteral") return (quasis ?? []).map((part) => part.value.cooked).join("0");
      return (type === "Literal" || type === "JSXText") && typeof value === "string" ? value : [];
    })
    .filter((said) => said.includes(" "))
    .map((said) => said.toLowerCase().replace(/\s+/g, " "));
}

const phrasesIn = (said: string): string[] =>
  Object.keys(phrases).flatMap((phrase) => (said.includes(phrase) ? [`"${phrase}", say "${phrases[phrase]}"`] : []));

const wordsIn = (said: string): string[] =>
  words.flatMap(([word, instead]) => (word.test(said) ? [`${word} in "${said}", say "${instead}"`] : []));

test.each([
  ...rooms,
  "docs",
  "README.md",
])("[RE95] nothing that people or models read in %s sounds translated", (room) => {
  const files = room.endsWith(".md") ? [room] : filesIn(room);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(repository, file), "utf8");
    const heard = file.endsWith(".md")
      ? phrasesIn(text.toLowerCase().replace(/\s+/g, " "))
      : stringsIn(text, file).flatMap((said) => [...phrasesIn(said), ...wordsIn(said)]);
    return heard.map((one) => `${file}: ${one}`);
  });
  expect(found).toEqual([]);
});
