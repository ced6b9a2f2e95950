import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TextDiff } from "../../src/domain/evidence/diff-model.ts";
import { type Allowance, diffTexts } from "../../src/domain/evidence/diff-rules.ts";
import { findEdits } from "../../src/domain/evidence/edit-rules.ts";

const plenty = (): Allowance => ({ lines: 1_000_000, bytes: 1 << 30 });
const diff = (before: string, after: string, allowance = plenty()): TextDiff =>
  diffTexts(Buffer.from(before), Buffer.from(after), allowance);

const linesIn = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
const ends = { crlf: "\r\n", none: "", lf: "\n" };

/** What a patch program does: takes the lines between the hunks over, and checks those it deletes or keeps. */
function apply(before: string, { hunks }: TextDiff): string {
  const old = linesIn(before);
  const made: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const from = hunk.beforeLines === 0 ? hunk.beforeStart : hunk.beforeStart - 1;
    made.push(...old.slice(at, from));
    at = from;
    expect(made.length).toBe(hunk.afterLines === 0 ? hunk.afterStart : hunk.afterStart - 1);
    for (const line of hunk.lines) {
      const whole = line.text + ends[line.end ?? "lf"];
      if (line.kind !== "added") expect([line.before, old[at++]]).toEqual([at, whole]);
      if (line.kind !== "deleted") made.push(whole);
      if (line.kind !== "deleted") expect(line.after).toBe(made.length);
    }
    expect(at - from).toBe(hunk.beforeLines);
  }
  return [...made, ...old.slice(at)].join("");
}

/** Few different lines, so that many are alike; some without an end, some with a carriage return. */
const line = fc.constantFrom("a", "b", "c", "", "  x", "é", "\r");
const text = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 40 }), line)
  .map(([lines, last]) => lines.map((parts) => parts.join("")).join("") + last);

describe("the hunks of two texts", () => {
  test("[TD4] applied to what was before they give what came after", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const found = diff(before, after);
        fc.pre(found.lineEnds === null);
        expect(apply(before, found)).toBe(after);
        expect(found.leftOutLines).toBe(0);
        const kinds = found.hunks.flatMap((hunk) => hunk.lines.map(({ kind }) => kind));
        expect(kinds.filter((kind) => kind === "added")).toHaveLength(found.addedLines);
        expect(kinds.filter((kind) => kind === "deleted")).toHaveLength(found.deletedLines);
      }),
      { numRuns: 500 },
    );
  });

  test("[TD4] no shorter list of edits exists", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const edits = findEdits(before, after);
        const steps = edits.reduce((sum, { deleted, added }) => sum + deleted + added, 0);
        expect(steps).toBe(before.length + after.length - 2 * sharedLength(before, after));
      }),
      { numRuns: 300 },
    );
  });

  test("[TD4] texts that have next to nothing in common are told apart quickly and rightly", () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `old ${at}\n`).join("");
    const after = Array.from({ length: 20_000 }, (_, at) => (at % 50 === 0 ? `old ${at}\n` : `new ${at}\n`)).join("");
    expect(apply(before, diff(before, after))).toBe(after);
  });

  test("[TD4] a change stands between three lines on either side, and far ones in hunks of their own", () => {
    const before = Array.from({ length: 30 }, (_, at) => `${at + 1}\n`);
    const after = before.with(4, "five\n").with(24, "twenty-five\n");
    const { hunks } = diff(before.join(""), after.join(""));
    expect(hunks.map(({ lines, ...place }) => [place, lines.length])).toEqual([
      [{ beforeStart: 2, beforeLines: 7, afterStart: 2, afterLines: 7 }, 8],
      [{ beforeStart: 22, beforeLines: 7, afterStart: 22, afterLines: 7 }, 8],
    ]);
    expect(hunks[0]?.lines.slice(2, 5)).toEqual([
      { kind: "same", before: 4, after: 4, text: "4" },
      { kind: "deleted", before: 5, after: null, text: "5" },
      { kind: "added", before: null, after: 5, text: "five" },
    ]);
  });
});

function sharedLength(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const item of one) {
    const next = [0];
    for (const [at, wanted] of other.entries()) {
      next.push(item === wanted ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe("odd texts", () => {
  test("[TD7] a line end that comes or goes is a change of its line", () => {
    expect(diff("a\nb", "a\nb\n").hunks[0]?.lines).toEqual([
      { kind: "same", before: 1, after: 1, text: "a" },
      { kind: "deleted", before: 2, after: null, text: "b", end: "none" },
      { kind: "added", before: null, after: 2, text: "b" },
    ]);
  });

  test("[TD7] line ends that all changed are said once; a single one is a change of its line", () => {
    expect(diff("a\nb\nc", "a\r\nB\r\nc")).toMatchObject({ lineEnds: "lf_to_crlf", addedLines: 1, deletedLines: 1 });
    expect(diff("a\r\nb\r\n", "a\nb\n")).toMatchObject({ lineEnds: "crlf_to_lf", addedLines: 0, hunks: [] });
    const mixed = diff("a\nb\n", "a\r\nb\n");
    expect(mixed.lineEnds).toBeNull();
    expect(diff("a\nb\r\n", "a\r\nb\r\n").lineEnds).toBeNull();
    expect(mixed.hunks[0]?.lines[1]).toEqual({ kind: "added", before: null, after: 1, text: "a", end: "crlf" });
  });

  test("[TD8] bytes that are no text still make a difference, and the file says that they are shown as something else", () => {
    const { isLossy, hunks } = diffTexts(
      Buffer.from("caf\xe9\n", "latin1"),
      Buffer.from("caf\xe8\n", "latin1"),
      plenty(),
    );
    expect(isLossy).toBe(true);
    expect(hunks[0]?.lines.map(({ kind, text }) => [kind, text])).toEqual([
      ["deleted", "caf\ufffd"],
      ["added", "caf\ufffd"],
    ]);
    expect(diff("é\n", "è\n").isLossy).toBe(false);
  });

  test("[TD9] a long line is cut between characters, and what is missing is counted", () => {
    const [long] = diff("", `${"x".repeat(499)}😀${"y".repeat(100)}`).hunks[0]?.lines ?? [];
    expect(long).toEqual({ kind: "added", before: null, after: 1, text: "x".repeat(499), cut: 102, end: "none" });
  });

  test("[TD9] what the allowance leaves out is counted, and nothing is shown after a gap", () => {
    const after = Array.from({ length: 100 }, (_, at) => `${at}\n`).join("");
    const few = diff("", after, { lines: 10, bytes: 1 << 20 });
    expect([few.addedLines, few.leftOutLines, few.hunks[0]?.lines.length]).toEqual([100, 90, 10]);
    const allowance = { lines: 1_000, bytes: 1_000 };
    const small = diff("", after, allowance);
    expect(JSON.stringify(small.hunks[0]?.lines).length).toBeLessThan(1_100);
    expect(small.leftOutLines).toBe(100 - (small.hunks[0]?.lines.length ?? 0));
    expect(diff("", "x\n", allowance).hunks).toHaveLength(allowance.bytes > 60 ? 1 : 0);
  });
});
