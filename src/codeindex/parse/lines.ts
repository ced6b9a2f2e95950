import type { Chunk, ChunkKind } from "../parsed-file.ts";
import { cutSpan, fewestLines, makeChunk, rankByLayout } from "./chunk.ts";
import type { Language } from "./languages.ts";
import type { SourceText } from "./source-text.ts";

/**
 * Cuts a file that no grammar reads: at lines that look like definitions in most languages, else at blank lines. Nothing is
 * claimed about it beyond a kind and a name.
 */
export function cutLines(source: SourceText, language: Language): readonly Chunk[] {
  const isData = dataLanguages.has(language);
  const starts = isData ? [] : findDefinitions(source);
  const rest: ChunkKind = isData ? "data" : "file";
  const all = starts[0]?.line === 0 ? starts : [{ line: 0, kind: rest, name: "", signature: "" }, ...starts];
  return all.flatMap(({ line, ...named }, at) =>
    cutSpan({ first: line, last: (all[at + 1]?.line ?? source.lineCount) - 1 }, rankByLayout(source)).flatMap(
      (piece, part) => makeChunk(source, { ...piece, ...named, mode: "code", part }) ?? [],
    ),
  );
}

const dataLanguages: ReadonlySet<Language> = new Set<Language>(["json", "yaml", "toml", "ini", "xml"]);

interface Definition {
  readonly line: number;
  readonly kind: ChunkKind;
  readonly name: string;
  readonly signature: string;
}

const kinds: Readonly<Record<string, ChunkKind>> = {
  ...{ class: "class", struct: "class", object: "class", actor: "class", module: "class", defmodule: "class" },
  ...{ interface: "interface", trait: "interface", protocol: "interface", service: "interface" },
  ...{ enum: "enum", type: "type", typealias: "type", message: "type", extension: "type" },
  ...{ func: "function", fun: "function", fn: "function", def: "function", defp: "function", sub: "function" },
  ...{ function: "function", proc: "function", resource: "data" },
};

const definition = new RegExp(
  `^[ \\t]{0,8}(?:(?:export|public|private|protected|internal|open|abstract|final|sealed|static|local|override|data|case|suspend|inline|async|pub)[ \\t]+){0,6}(${Object.keys(kinds).join("|")})[ \\t]+"?([\\p{L}_$][\\p{L}\\p{N}_$.]{0,100})`,
  "u",
);

/** Definitions closer together than a chunk is long stay with the one before, if they are further in. */
function findDefinitions(source: SourceText): readonly Definition[] {
  const found: (Definition & { readonly indent: number })[] = [];
  for (let line = 0; line < source.lineCount; line += 1) {
    const start = source.lineStarts[line] ?? 0;
    const text = source.text.slice(start, Math.min(source.endOf(line), start + 300));
    const match = definition.exec(text);
    if (!match) continue;
    const indent = text.length - text.trimStart().length;
    const before = found.at(-1);
    if (before && indent > before.indent && line - before.line < fewestLines) continue;
    found.push({ line, indent, kind: kinds[match[1] ?? ""] ?? "file", name: match[2] ?? "", signature: text.trim() });
  }
  return found.map(({ line, kind, name, signature }) => ({ line, kind, name, signature }));
}
