import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexedChunk } from "../domain/codeindex/copied-model.ts";
import { chunkKinds, countFacts, wordFacts } from "./parsed-file.ts";
import type { RepositoryIndex } from "./repository-index.ts";
import { chunkModes } from "./segment/builder.ts";
import { docOf } from "./segment/doc-of.ts";
import { factsByChunk } from "./segment/facts-by-chunk.ts";
import { noCount, type Segment } from "./segment/segment.ts";
import { listStems } from "./segment/stems.ts";
import { longestWord } from "./segment/term-table.ts";
import type { Texts } from "./texts.ts";
import { TreeReader } from "./tree/read-file.ts";
import type { View } from "./tree/view.ts";

/** Every chunk of a work tree with its text. A file that changes meanwhile is left out. */
export async function* readChunks(index: RepositoryIndex, view: View, texts: Texts): AsyncGenerator<IndexedChunk> {
  const reader = new TreeReader(view.root);
  for (const segment of index.library.segments) {
    const { contents, chunks, strings, facts } = segment;
    const { factsOf, importsOf } = factsByChunk(segment);
    const stemsOf = rememberStems();
    for (const [content, entries] of view.placedIn(segment).entries()) {
      for (const entry of entries ?? []) {
        const text = texts.read(reader, entry);
        if (text === undefined) continue;
        const imports = importsOf(content).map((list) => segment.imports.at(list));
        const end = contents.firstChunks[content + 1] ?? 0;
        for (let chunk = contents.firstChunks[content] ?? 0; chunk < end; chunk += 1) {
          const mode = chunkModes[chunks.mode[chunk] ?? 0] ?? "code";
          const [from = 0, to = 0] = [chunks.from[chunk], chunks.to[chunk]];
          const body = text.slice(from, to);
          const name = strings.at(chunks.name[chunk] ?? 0);
          const signature = strings.at(chunks.signature[chunk] ?? 0);
          const header = strings.at(chunks.header[chunk] ?? 0);
          yield {
            file: entry.path,
            mode,
            kind: chunkKinds[chunks.kind[chunk] ?? 0] ?? "file",
            lang: contents.languages[content] ?? "text",
            name,
            signature,
            header,
            doc: docOf(segment, chunk, text),
            text: body,
            ...(mode === "extracted-prose" ? sidesOf(text, from, to) : noSides),
            startLine: chunks.startLine[chunk] ?? 1,
            endLine: chunks.endLine[chunk] ?? 1,
            nameLine: chunks.nameLine[chunk] ?? 1,
            start: chunks.start[chunk] ?? 0,
            end: chunks.end[chunk] ?? 0,
            counts: countsOf(segment, chunk),
            flags: chunks.flags[chunk] ?? 0,
            imports,
            facts: factsOf(chunk).map((place) => ({
              fact: wordFacts[facts.fact[place] ?? 0] ?? "calls",
              value: facts.words.at(facts.word[place] ?? 0),
            })),
            stems: stemsOf(`${body}\n${name}\n${signature}\n${header}`),
          };
        }
      }
      if (content % 16 === 15) await nextTurn();
    }
  }
}

const noSides = { lead: "", tail: "" };

/** What stands before and behind a comment on its lines: patterns look there for where a line begins and ends. */
function sidesOf(text: string, from: number, to: number): { readonly lead: string; readonly tail: string } {
  const lineEnd = text.indexOf("\n", to);
  return {
    lead: text.slice(text.lastIndexOf("\n", from - 1) + 1, from),
    tail: text.slice(to, lineEnd === -1 ? text.length : lineEnd),
  };
}

function countsOf({ chunks }: Segment, chunk: number): IndexedChunk["counts"] {
  const [branches = noCount, ...others] = chunks.counts.subarray(
    chunk * countFacts.length,
    (chunk + 1) * countFacts.length,
  );
  if (branches === noCount) return undefined;
  const [loops = 0, breaks = 0, continues = 0] = others;
  return { branches, loops, breaks, continues };
}

/** The stems of a text, one after the other; a word is taken apart once. */
function rememberStems(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found: string[] = [];
    for (const word of text.match(/[\w$\u0080-\uffff]+/g) ?? []) {
      if (word.length > longestWord) continue;
      const stems = known.get(word) ?? listStems(word).join(" ");
      known.set(word, stems);
      if (stems !== "") found.push(stems);
    }
    return found.join(" ");
  };
}
