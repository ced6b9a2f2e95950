import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { listFinders, splitLine } from "../../src/contract/marked-line.ts";
import { askOf, takeChips } from "../../src/dashboard/views/search/search-model.ts";

test("[IX40] a finished filter is taken out of what was typed, and an unknown one stays", () => {
  expect(takeChips("lang:ts read fi")).toEqual({ text: "read fi", chips: [["lang", "ts"]] });
  expect(takeChips("read lang:t")).toEqual({ text: "read lang:t", chips: [] });
  expect(takeChips("foo:bar read ")).toEqual({ text: "foo:bar read ", chips: [] });
});

test("[IX40] nothing is asked before there is something to ask", () => {
  const nothing = { text: " ", chips: new Map(), mode: "all", repo: undefined } as const;
  expect(askOf(nothing)).toBeUndefined();
  expect(askOf({ ...nothing, chips: new Map([["lang", "ts"]]) })).toMatchObject({ lang: "ts", mode: "all" });
});

const marked = (line: string, query: string, engine?: typeof RE2JS): string[] => {
  const pieces = splitLine(line, listFinders(query, engine));
  expect(pieces.map(({ text }) => text).join("")).toBe(line);
  return pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text);
};

test("[IX40] what matches stands out, whatever its capitals", () => {
  expect(marked("const readFile = read();", 'read -x "FILE ="')).toEqual(["read", "File =", "read"]);
});

test("[IX40] what a pattern matches stands out, beside words, and as the search means it", () => {
  const line = "const readFile = read(a1, b22);";
  const cases: [string, string[]][] = [
    ["/[a-z]\\d+/", ["a1", "b22"]],
    ["/READ/", []],
    ["/READ/i", ["read", "read"]],
    ["/read (file|\\()/ const", ["const"]],
    ["/read(File|\\()/ const", ["const", "readFile", "read("]],
    ["/^const/", ["const"]],
    ["/;$/ -/read/", [";"]],
    ["(/b2*/ OR /=/)", ["=", "b22"]],
    ["/x*/", []],
    ["a/1 /src", []],
    // No pattern of its own is valid, and none of the browser's is asked.
    ["/(/ read", ["read", "read"]],
    ["/(?<=a)1/", []],
  ];
  for (const [query, found] of cases) expect(marked(line, query, RE2JS), query).toEqual(found);
  expect(marked(line, "/[a-z]\\d+/ const")).toEqual(["const"]);
});

test("[IX40] a pattern that would take the browser's own years takes no time", () => {
  expect(marked("a".repeat(199), "/(a+)+$/ /(a|a)*b/", RE2JS)).toEqual(["a".repeat(199)]);
});
