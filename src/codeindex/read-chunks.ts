import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexedChunk } from "../domain/codeindex/port.ts";
import { chunkKinds } from "./parsed-file.ts";
import type { RepositoryIndex } from "./repository-index.ts";
import { chunkModes } from "./segment/builder.ts";
import { textAt } from "./segment/segment.ts";
import type { Texts } from "./texts.ts";
import type { View } from "./tree/view.ts";

/** Every chunk of a work tree with its text. A file that changes meanwhile is left out. */
export async function* readChunks(index: RepositoryIndex, view: View, texts: Texts): AsyncGenerator<IndexedChunk> {
  for (const segment of index.library.segments) {
    const { contents, chunks, strings, docs } = segment;
    for (const [content, entries] of view.placedIn(segment).entries()) {
      for (const entry of entries ?? []) {
        const text = texts.read(view.root, entry);
        if (text === undefined) continue;
        const end = contents.firstChunks[content + 1] ?? 0;
        for (let chunk = contents.firstChunks[content] ?? 0; chunk < end; chunk += 1) {
          yield {
            file: entry.path,
            mode: chunkModes[chunks.mode[chunk] ?? 0] ?? "code",
            kind: chunkKinds[chunks.kind[chunk] ?? 0] ?? "file",
            lang: contents.languages[content] ?? "text",
            name: strings.at(chunks.name[chunk] ?? 0),
            signature: strings.at(chunks.signature[chunk] ?? 0),
            doc: textAt(docs, chunk),
            text: text.slice(chunks.from[chunk], chunks.to[chunk]),
            startLine: chunks.startLine[chunk] ?? 1,
            endLine: chunks.endLine[chunk] ?? 1,
            start: chunks.start[chunk] ?? 0,
            end: chunks.end[chunk] ?? 0,
          };
        }
      }
      if (content % 64 === 63) await nextTurn();
    }
  }
}
