import fc from "fast-check";
import { expect, test } from "vitest";
import { parseBlocks, parseSpans, type Span } from "../../src/dashboard/parts/markdown-model.ts";

const textOf = (spans: readonly Span[]): string => spans.map((span) => span.text).join("");

test.each([
  { written: "plain", spans: [{ kind: "text", text: "plain" }] },
  {
    written: "**bold** and `code`",
    spans: [
      { kind: "strong", text: "bold" },
      { kind: "text", text: " and " },
      { kind: "code", text: "code" },
    ],
  },
  { written: "[in](javascript:alert(1))", spans: [{ kind: "text", text: "[in](javascript:alert(1))" }] },
  { written: "[out](https://example.com/a)", spans: [{ kind: "link", text: "out", href: "https://example.com/a" }] },
])("[DR5] $written is read as what it is", ({ written, spans }) => {
  expect(parseSpans(written)).toEqual(spans);
});

test("[DR5] a mark with a backslash before it is a mark like any other", () => {
  expect(textOf(parseSpans("\\<img src=x\\> \\*not bold\\* \\`x\\`"))).toBe("<img src=x> *not bold* `x`");
  expect(parseSpans("\\*\\*x\\*\\*").every((span) => span.kind === "text")).toBe(true);
});

test("[DR5] whatever is written, no element but the known ones comes of it", () => {
  const known = ["heading", "code", "quote", "list", "rule", "paragraph"];
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      for (const block of parseBlocks(text)) expect(known).toContain(block.kind);
      for (const span of parseSpans(text)) if (span.kind === "link") expect(span.href).toMatch(/^https?:/);
    }),
  );
});
