import { createHash } from "node:crypto";

/** Two lines around a text of ours in somebody else's file: the first says by a hash whether it still is as we wrote it. */
export interface BlockMarks {
  readonly open: string;
  readonly close: string;
  /** After either mark, where the language wants its comments closed. */
  readonly tail: string;
}

export const markdownMarks: BlockMarks = { open: "<!-- crewdeck:begin", close: "<!-- crewdeck:end", tail: " -->" };
export const tomlMarks: BlockMarks = { open: "# crewdeck:begin", close: "# crewdeck:end", tail: "" };

interface FoundBlock {
  readonly start: number;
  readonly end: number;
  readonly body: string;
  /** What somebody has put behind our lines: Codex writes what it adds to its file before the closing mark. */
  readonly added: string;
  /** Nobody has changed our lines since we wrote them. */
  readonly isAsWritten: boolean;
  /** Whether a line break before it is ours; undefined for a block of before that was noted. */
  readonly isApart: boolean | undefined;
}

/** The one block of ours in a text; undefined where there is none, or only half of one. */
export function findBlock(text: string, marks: BlockMarks): FoundBlock | undefined {
  const open = text.search(new RegExp(`^${escapeSigns(marks.open)} `, "m"));
  if (open === -1) return undefined;
  const bodyAt = text.indexOf("\n", open) + 1;
  const rest = bodyAt === 0 ? -1 : text.slice(bodyAt).search(new RegExp(`^${escapeSigns(marks.close)}`, "m"));
  if (rest === -1) return undefined;
  const whole = text.slice(bodyAt, bodyAt + rest);
  const closeAt = bodyAt + rest;
  const lineEnd = text.indexOf("\n", closeAt);
  const [, version, hash, apart] = / v(\d) sha256=([0-9a-f]{16})( apart)?/.exec(text.slice(open, bodyAt)) ?? [];
  const own = startsOf(whole).find((start) => hashOf(start) === hash);
  return {
    start: open,
    end: lineEnd === -1 ? text.length : lineEnd + 1,
    body: own ?? whole,
    added: own === undefined ? "" : whole.slice(own.length),
    isAsWritten: own !== undefined,
    isApart: version === "1" ? undefined : apart !== undefined,
  };
}

const mostLines = 64;

/** All of a text, then its first lines, then fewer of them; a block of ours has few. */
function startsOf(text: string): string[] {
  const ends = [...text.matchAll(/\n/g)].slice(0, mostLines).map(({ index }) => index + 1);
  return [text, ...ends.reverse().map((end) => text.slice(0, end))];
}

/** At the end of a text, apart from what is before it. */
export function addBlock(text: string, body: string, marks: BlockMarks): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = body.replaceAll("\n", eol);
  // An empty line before it, but where the last line has no end.
  const isApart = text !== "";
  const head = `${marks.open} v2 sha256=${hashOf(lines)}${isApart ? " apart" : ""}${marks.tail}`;
  return `${text}${isApart ? eol : ""}${head}${eol}${lines}${marks.close}${marks.tail}${eol}`;
}

/** Without the block and the line break that was put before it; what others have added to it stays. */
export function removeBlock(text: string, { start, end, added, isApart }: FoundBlock): string {
  const before = text.slice(0, start);
  const after = added + text.slice(end);
  return ((isApart ?? /\n\r?\n$/.test(before)) ? before.replace(/\r?\n$/, "") : before) + after;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

const escapeSigns = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
