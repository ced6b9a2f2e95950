import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readDictionary, widen } from "../../src/codeindex/query/dictionary.ts";
import { parseQuery } from "../../src/codeindex/query/grammar.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { makeRepository } from "../git/scratch.ts";
import { serveFile } from "./lying-server.ts";

const text = [
  "# Words that others are made of, and words that stand for others.",
  "12",
  "price/SM",
  "table",
  "carpet",
  "car",
  "pet",
  "fetch: get, load",
  "Fetch = retrieve",
].join("\n");

describe("a dictionary", () => {
  const dictionary = readDictionary([text]);
  const ask = (query: string) => widen(parseQuery(query), dictionary);
  const also = (word: string) => ({ type: "literal", text: word, worth: 0.4 });

  test("[QW1] has a word or a word with others to a line; endings behind a slash, numbers and comments are left out", () => {
    expect([...dictionary.words].sort()).toEqual(["car", "carpet", "fetch", "pet", "price", "table"]);
    expect(dictionary.synonyms).toEqual(new Map([["fetch", ["get", "load", "retrieve"]]]));
  });

  test("[QW2] a word also finds its synonyms, and one it does not know the known words it is made of", () => {
    expect(ask("Fetch")).toEqual({
      type: "or",
      parts: [{ type: "literal", text: "Fetch" }, also("get"), also("load"), also("retrieve")],
    });
    expect(ask("pricetable")).toEqual({
      type: "or",
      parts: [
        { type: "literal", text: "pricetable" },
        { type: "and", parts: [also("price"), also("table")] },
      ],
    });
    expect(ask("carpet")).toEqual({ type: "literal", text: "carpet" });
    expect(ask("pricelist")).toEqual({ type: "literal", text: "pricelist" });
    expect(ask("why fetch\nthe pricetable")).toMatchObject({ also: ["get", "load", "retrieve", "price", "table"] });
  });

  test("[QW3] what is quoted, negated or a pattern is meant as it is written", () => {
    expect(ask('"fetch"')).toMatchObject({ type: "literal", text: "fetch" });
    expect(ask("x -fetch")).toEqual(parseQuery("x -fetch"));
    expect(ask("/fetch/")).toEqual(parseQuery("/fetch/"));
  });
});

test("[QW2, QW3] a downloaded dictionary widens the words of a search in files, copies and records, at a lower weight", async () => {
  const { path: repoPath } = makeRepository();
  mkdirSync(join(repoPath, "src"));
  writeFileSync(join(repoPath, "src", "one.ts"), "export function fetchOrders() {\n  return 1;\n}\n");
  writeFileSync(join(repoPath, "src", "two.ts"), "export function loadOrders() {\n  return 2;\n}\n");
  writeFileSync(join(repoPath, "src", "three.ts"), "export const price = 1;\nexport const table = price;\n");
  const house = await openTestHouse("sqlite");
  await house.call("build_index", { repoPath, sqlite: true });
  await house.call("covibe_note", { kind: "decision", text: "Load every order." });
  const files = async (query: string, more: Record<string, unknown> = {}) => {
    const found = await house.call<{ code: { file: string; score: number }[] }>("search", {
      ...{ repoPath, query, mode: "code" },
      ...more,
    });
    expect(found.code.map(({ score }) => score)).toEqual(
      found.code.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    return found.code.map(({ file }) => file);
  };
  const find = (query: string) => house.call("search", { mode: "records", query });
  expect(await files("fetch")).toEqual(["src/one.ts"]);
  expect(await find("fetch")).toMatchObject({ total: 0 });

  const content = Buffer.from(text);
  const url = `team=${await serveFile("/team.txt", content)}`;
  const { files: kept } = await house.call<{ files: { path: string }[] }>("download_dictionaries", { url });

  for (const backend of ["memory", "sqlite", "sqlite-fts"]) {
    expect(await files("fetch", { backend })).toEqual(["src/one.ts", "src/two.ts"]);
    expect(await files('"fetch"', { backend })).toEqual(["src/one.ts"]);
    expect(await files("fetch", { backend, caseTokens: true })).toEqual(["src/one.ts"]);
    expect(await files("orders -fetch", { backend })).toEqual(["src/two.ts"]);
    expect(await files("pricetable", { backend })).toEqual(["src/three.ts"]);
    expect((await files("where do we\nfetch", { backend })).sort()).toEqual(["src/one.ts", "src/two.ts"]);
  }
  expect(await find("fetch")).toMatchObject({ total: 1, records: [{ name: "Load every order." }] });
  for (const { path } of kept) rmSync(path);
  expect(await files("fetch")).toEqual(["src/one.ts"]);
});
