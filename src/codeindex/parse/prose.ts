import type { Chunk } from "../parsed-file.ts";
import { cutSpan, makeChunk, rankByLayout, type Span } from "./chunk.ts";
import type { Language } from "./languages.ts";
import type { SourceText } from "./source-text.ts";

/** Prose by heading: a section begins with its heading and carries those above it. Long ones are cut at paragraphs. */
export function cutProse(source: SourceText, language: Language): readonly Chunk[] {
  const headings = findHeadings(source, language);
  const starts = headings[0]?.line === 0 ? headings : [{ line: 0, level: 0, title: "" }, ...headings];
  const above: Heading[] = [];
  return starts.flatMap((heading, at) => {
    while ((above.at(-1)?.level ?? -1) >= heading.level) above.pop();
    const header = above.map(({ title }) => title).join(" › ");
    if (heading.level > 0) above.push(heading);
    const last = (starts[at + 1]?.line ?? source.lineCount) - 1;
    return cutSection(source, { first: heading.line, last }, { name: heading.title, header });
  });
}

function cutSection(source: SourceText, span: Span, named: { name: string; header: string }): readonly Chunk[] {
  return cutSpan(span, rankByLayout(source)).flatMap(
    (piece, part) => makeChunk(source, { ...piece, ...named, mode: "prose", kind: "section", part }) ?? [],
  );
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

function findHeadings(source: SourceText, language: Language): readonly Heading[] {
  switch (language) {
    case "markdown":
      return findMarked(source, /^(#{1,6})[ \t]+(.*?)[ \t]*#*$/);
    case "asciidoc":
      return findMarked(source, /^(={1,6})[ \t]+(.*)$/);
    case "restructuredtext":
      return findUnderlined(source);
    default:
      return [];
  }
}

/** Headings with a mark in front, or underlined as Markdown has it. What is fenced off is no heading. */
function findMarked(source: SourceText, marked: RegExp): readonly Heading[] {
  const found: Heading[] = [];
  let fence: string | undefined;
  for (let line = 0; line < source.lineCount; line += 1) {
    const text = headOf(source, line);
    const mark = /^ {0,3}(`{3,}|~{3,}|-{4,}$|\.{4,}$)/.exec(text)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(text)?.[1];
    const before = line > 0 ? headOf(source, line - 1).trim() : "";
    if (underline && before !== "" && found.at(-1)?.line !== line - 1 && !/^([-*>|#]|\d+\.)/.test(before)) {
      found.push({ line: line - 1, level: underline[0] === "=" ? 1 : 2, title: before });
      continue;
    }
    if (mark && /^[`~.]/.test(mark)) {
      fence = mark;
      continue;
    }
    const heading = marked.exec(text);
    if (heading) found.push({ line, level: heading[1]?.length ?? 1, title: heading[2] ?? "" });
  }
  return found;
}

const punctuation = /^([=\-~^"'`:#*+.<>_])\1{2,}[ \t]*$/;

/** In reStructuredText the levels are those of the punctuation, in the order in which it first appears. */
function findUnderlined(source: SourceText): readonly Heading[] {
  const levels: string[] = [];
  const found: Heading[] = [];
  for (let line = 1; line < source.lineCount; line += 1) {
    const mark = punctuation.exec(headOf(source, line))?.[1];
    const title = headOf(source, line - 1).trim();
    if (mark === undefined || title === "" || punctuation.test(title) || /^[ \t]/.test(headOf(source, line - 1))) {
      continue;
    }
    const isOver = line > 1 && punctuation.exec(headOf(source, line - 2))?.[1] === mark;
    const style = isOver ? `${mark}${mark}` : mark;
    if (!levels.includes(style)) levels.push(style);
    found.push({ line: isOver ? line - 2 : line - 1, level: levels.indexOf(style) + 1, title });
  }
  return found;
}

/** Headings are short: of a very long line only the beginning is looked at. A mark of byte order is no text. */
function headOf(source: SourceText, line: number): string {
  const start = source.lineStarts[line] ?? 0;
  const text = source.text.slice(start, Math.min(source.endOf(line), start + 300));
  return line === 0 && text.startsWith("\uFEFF") ? text.slice(1) : text;
}
