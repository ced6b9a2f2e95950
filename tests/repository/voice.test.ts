import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./planted-tree.ts";

/** Phrases that read as translated, and what to say instead. They come back easily, so they are looked for. */
const instead: Readonly<Record<string, string>> = {
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
  "the check counts for": "valid for",
  "may be done twice": "possible duplicate",
  "none is like another": "no duplicates",
  "show who has left": "show offline",
  "show what is over": "show completed",
  "turn away": "deny",
  "asks to be let in": "requests access",
  "cost was off": "cost mismatch",
  "out of the cache": "cached tokens",
  "colours of the system": "system theme",
  "nothing is called that": "no results",
  "address leads nowhere": "page not found",
  "by your verdict": "you marked this as",
  "named alike by everyone": "use the same name across the team",
  "token knows better": "overridden by the token's type",
  "that shall sign in": "to sign in another machine",
  "the wish itself": "the request",
  "where the wish came from": "source of the request",
};

const rooms = ["src/transports", "src/tools", "src/contract", "src/domain", "src/adapters"];

const filesIn = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|md)$/.test(name) && !/^(decisions|spec|tools)\//.test(name))
    .map((name) => join(folder, name));

/** What nobody but a reader of the source sees. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

test.each([
  ...rooms,
  "docs",
  "README.md",
])("[RE95] nothing that people or models read in %s sounds translated", (room) => {
  const files = room.endsWith(".md") ? [room] : filesIn(room);
  const found = files.flatMap((file) => {
    const text = withoutComments(readFileSync(join(repository, file), "utf8")).toLowerCase();
    return Object.keys(instead).flatMap((phrase) =>
      text.includes(phrase) ? [`${file}: "${phrase}", say "${instead[phrase]}"`] : [],
    );
  });
  expect(found).toEqual([]);
});
