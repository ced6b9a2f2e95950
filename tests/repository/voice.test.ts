import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { repository } from "./planted-tree.ts";

const { isSpoken, listStrings, spokenRooms } = (await import(
  pathToFileURL(join(repository, "scripts/steps/strings.mjs")).href
)) as unknown as {
  isSpoken(path: string): boolean;
  listStrings(text: string, path: string): { said: string }[];
  spokenRooms: readonly string[];
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
  [/^whose\b/, "owner"],
  [/\ball the same\b/, "anyway"],
  [/(^|\d) %/, "61%"],
];

const filesIn = (room: string): string[] =>
  statSync(join(repository, room)).isFile()
    ? [room]
    : readdirSync(join(repository, room), { recursive: true, encoding: "utf8" })
        .filter((name) => (isSpoken(name) || name.endsWith(".md")) && !/^(decisions|spec|tools)\//.test(name))
        .map((name) => join(room, name));

/** With a figure for each value in them. */
const stringsIn = (text: string, path: string): string[] =>
  listStrings(text, path).map(({ said }) => said.replaceAll("…", "0").toLowerCase());

const phrasesIn = (said: string): string[] =>
  Object.keys(phrases).flatMap((phrase) => (said.includes(phrase) ? [`"${phrase}", say "${phrases[phrase]}"`] : []));

const wordsIn = (said: string): string[] =>
  words.flatMap(([word, instead]) => (word.test(said) ? [`${word} in "${said}", say "${instead}"`] : []));

test.each([
  ...spokenRooms,
  "docs",
  "README.md",
])("[RE95] nothing that people or models read in %s sounds translated", (room) => {
  const found = filesIn(room).flatMap((file) => {
    const text = readFileSync(join(repository, file), "utf8");
    const heard = file.endsWith(".md")
      ? phrasesIn(text.toLowerCase().replace(/\s+/g, " "))
      : stringsIn(text, file).flatMap((said) => [...phrasesIn(said), ...wordsIn(said)]);
    return heard.map((one) => `${file}: ${one}`);
  });
  expect(found).toEqual([]);
});

test("[RE95] labels of one word are heard as well, and what nobody reads is not", () => {
  const source = `import "./Begun.ts";
const label = "Begun"; const key = "phase.begun"; const part = <b className="all the same">Anew</b>;
const said = \`Whose \${key} it is\`;`;
  const heard = stringsIn(source, "plant.tsx");
  expect(heard).toEqual(["begun", "anew", "whose 0 it is"]);
  expect(heard.flatMap(wordsIn)).toHaveLength(3);
});
