import type { CopiedFile, CopiedIndex, CopiedRow } from "../../domain/codeindex/copied-model.ts";
import type { CodeHit } from "../../domain/codeindex/model.ts";
import { flagFacts } from "../parsed-file.ts";
import { endingOf } from "../query/filter-values.ts";
import type { Query } from "../query/grammar.ts";
import { findHeadline } from "../search/hits.ts";
import type { FileHistory } from "../tree/history.ts";

interface CopiedHitOptions {
  readonly query: Query;
  readonly isCased: boolean;
  readonly contextLines: number;
  readonly isFull: boolean;
  historyOf(path: string): FileHistory | undefined;
}

interface Found {
  readonly row: CopiedRow;
  readonly file: CopiedFile;
  readonly score: number;
}

/** A hit in the same shape as one from the index itself, told from what the copy holds. */
export function copiedHit({ row, file, score }: Found, copy: CopiedIndex, options: CopiedHitOptions): CodeHit {
  const { mode, startLine, endLine, start, end, kind, name, text, signature, doc } = row;
  const headline = findHeadline(text, row.nameLine - startLine, options);
  return {
    id: `${file.path}@${start}-${end}${mode === "extracted-prose" ? "c" : ""}`,
    file: file.path,
    ...{ startLine, endLine, start, end },
    ext: endingOf(file.path),
    lang: file.lang,
    ...{ kind, name },
    headline: headline.text,
    line: startLine + headline.line,
    score: Math.round(score * 1_000) / 1_000,
    ...(options.contextLines > 0 && { context: contextOf(row, copy, options.contextLines) }),
    ...(options.isFull && { ...{ text, signature, doc }, meta: metaOf(row, options.historyOf(file.path)) }),
  };
}

/** Lines around a chunk, put together from the chunks of its file: what none of them holds is blank. */
function contextOf(row: CopiedRow, copy: CopiedIndex, count: number): NonNullable<CodeHit["context"]> {
  const lines: string[] = [];
  for (const { startLine, text } of copy.readFile(row.fileId)) {
    for (const [at, line] of text.split("\n").entries()) lines[startLine - 1 + at] = line.replace(/\r$/, "");
  }
  const all = Array.from(lines, (line) => line ?? "");
  return {
    before: all.slice(Math.max(0, row.startLine - 1 - count), row.startLine - 1),
    after: all.slice(row.endLine, row.endLine + count),
  };
}

function metaOf(row: CopiedRow, history: FileHistory | undefined): Record<string, unknown> {
  const meta: Record<string, unknown> = {};
  const add = (name: string, value: string): void => {
    const list = meta[name];
    if (Array.isArray(list)) list.push(value);
    else meta[name] = [value];
  };
  for (const { fact, value } of row.facts()) add(fact, value);
  for (const module of row.imports()) add("import", module);
  Object.assign(meta, row.counts);
  for (const [place, flag] of flagFacts.entries()) if (((row.flags >> place) & 1) === 1) meta[flag] = true;
  if (row.header !== "") meta["header"] = row.header;
  if (history) {
    meta["authors"] = history.authors;
    meta["churn"] = history.churn;
    meta["modifiedAt"] = new Date(history.modifiedAt).toISOString();
  }
  return meta;
}
