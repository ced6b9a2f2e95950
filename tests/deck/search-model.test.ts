import { expect, test } from "vitest";
import { splitLine } from "../../src/contract/marked-line.ts";
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

test("[IX40] what matches stands out, whatever its capitals", () => {
  const pieces = splitLine("const readFile = read();", 'read -x "FILE ="');
  expect(pieces.map(({ text }) => text).join("")).toBe("const readFile = read();");
  expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(["read", "File =", "read"]);
});
