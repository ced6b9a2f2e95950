import type { DiffLine, Hunk, TextDiff } from "./diff-model.ts";
import { type Edit, findEdits } from "./edit-rules.ts";

/** How much of a file's changes is written down. What is used up by one file is not there for the next. */
export interface Allowance {
  lines: number;
  bytes: number;
}

/** Lines shown around a change. */
const around = 3;
/** Characters of a line that are shown. */
const longestLine = 500;

/** As git decides it: there is a zero byte near the beginning. */
export const isBinary = (content: Buffer): boolean => content.subarray(0, 8_000).includes(0);

/** What is different between two contents, line by line, as far as the allowance goes. */
export function diffTexts(before: Buffer, after: Buffer, allowance: Allowance): TextDiff {
  const lineEnds = changeOfEnds(before, after);
  const read = (content: Buffer): string[] => splitLines(content, lineEnds !== null);
  const lines = { before: read(before), after: read(after) };
  const edits = findEdits(lines.before, lines.after);
  let leftOutLines = 0;
  const hunks = groupEdits(edits).flatMap((group) => {
    const hunk = hunkOf(group, lines, allowance);
    leftOutLines += sizeOf(group, lines) - hunk.lines.length;
    return hunk.lines.length === 0 ? [] : [hunk];
  });
  return {
    addedLines: edits.reduce((sum, { added }) => sum + added, 0),
    deletedLines: edits.reduce((sum, { deleted }) => sum + deleted, 0),
    lineEnds,
    isLossy: !isUtf8(before) || !isUtf8(after),
    hunks,
    leftOutLines,
  };
}

export const noDifference: TextDiff = {
  addedLines: 0,
  deletedLines: 0,
  lineEnds: null,
  isLossy: false,
  hunks: [],
  leftOutLines: 0,
};

const isUtf8 = (content: Buffer): boolean => Buffer.from(content.toString("utf8")).equals(content);

/** Whether all line ends of a file became others; a file that had or has both kinds is compared byte for byte. */
function changeOfEnds(before: Buffer, after: Buffer): TextDiff["lineEnds"] {
  const [was, is] = [endsOf(before), endsOf(after)];
  if (was === "lf" && is === "crlf") return "lf_to_crlf";
  return was === "crlf" && is === "lf" ? "crlf_to_lf" : null;
}

function endsOf(content: Buffer): "lf" | "crlf" | undefined {
  const text = content.toString("latin1");
  const all = text.split("\n").length - 1;
  const returns = text.split("\r\n").length - 1;
  if (all === 0) return undefined;
  return returns === all ? "crlf" : returns === 0 ? "lf" : undefined;
}

/** Lines with their ends, one character for each byte, so that no two that differ look alike. */
function splitLines(content: Buffer, ignoresReturns: boolean): string[] {
  const text = content.toString("latin1");
  return (ignoresReturns ? text.replaceAll("\r\n", "\n") : text).match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Edits whose surroundings touch stand in one hunk. */
function groupEdits(edits: readonly Edit[]): Edit[][] {
  const groups: Edit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && edit.before - (last.before + last.deleted) <= 2 * around) group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

interface Lines {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Where a hunk begins and ends, counted from 0. */
function boundsOf(group: readonly Edit[], { before }: Lines) {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) throw new Error("a hunk has at least one edit");
  const lead = Math.min(around, first.before);
  const trail = Math.min(around, before.length - (last.before + last.deleted));
  return {
    before: { from: first.before - lead, to: last.before + last.deleted + trail },
    after: { from: first.after - lead, to: last.after + last.added + trail },
  };
}

function sizeOf(group: readonly Edit[], lines: Lines): number {
  const { before } = boundsOf(group, lines);
  return before.to - before.from + group.reduce((sum, { added }) => sum + added, 0);
}

function hunkOf(group: readonly Edit[], lines: Lines, allowance: Allowance): Hunk {
  const { before, after } = boundsOf(group, lines);
  const taken: DiffLine[] = [];
  for (const line of linesOf(group, lines)) {
    const bytes = Buffer.byteLength(JSON.stringify(line));
    if (allowance.lines < 1 || allowance.bytes < bytes) {
      // Nothing after a gap: what is shown is always the beginning.
      allowance.lines = 0;
      break;
    }
    allowance.lines -= 1;
    allowance.bytes -= bytes;
    taken.push(line);
  }
  return {
    beforeStart: before.to === before.from ? before.from : before.from + 1,
    beforeLines: before.to - before.from,
    afterStart: after.to === after.from ? after.from : after.from + 1,
    afterLines: after.to - after.from,
    lines: taken,
  };
}

function* linesOf(group: readonly Edit[], lines: Lines): Generator<DiffLine> {
  const bounds = boundsOf(group, lines);
  let [x, y] = [bounds.before.from, bounds.after.from];
  for (const { before, deleted, added } of [...group, { before: bounds.before.to, deleted: 0, added: 0 }]) {
    for (; x < before; x += 1, y += 1) {
      yield { kind: "same", before: x + 1, after: y + 1, ...wordsOf(lines.before[x] ?? "") };
    }
    for (const end = x + deleted; x < end; x += 1) {
      yield { kind: "deleted", before: x + 1, after: null, ...wordsOf(lines.before[x] ?? "") };
    }
    for (const end = y + added; y < end; y += 1) {
      yield { kind: "added", before: null, after: y + 1, ...wordsOf(lines.after[y] ?? "") };
    }
  }
}

function wordsOf(line: string): Pick<DiffLine, "text" | "end" | "cut"> {
  const end = line.endsWith("\r\n") ? "crlf" : line.endsWith("\n") ? undefined : "none";
  const bytes = line.slice(0, line.length - { crlf: 2, none: 0, lf: 1 }[end ?? "lf"]);
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  const cut = text.length > longestLine ? text.slice(0, longestLine).replace(/[\ud800-\udbff]$/, "") : text;
  return { text: cut, ...(end && { end }), ...(cut.length < text.length && { cut: text.length - cut.length }) };
}
