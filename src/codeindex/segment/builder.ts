import { GrowingList } from "../../search/growing-list.ts";
import { type ChunkMode, chunkKinds, type ParsedFile } from "../parsed-file.ts";
import { FactTable, numberIn, ValueTable } from "./fact-table.ts";
import { type Chunks, noCount, type Segment } from "./segment.ts";
import { TermTable } from "./term-table.ts";
import { TrigramTable } from "./trigrams.ts";
import { WordBlob } from "./word-blob.ts";

export const chunkModes = ["code", "prose", "extracted-prose"] as const satisfies readonly ChunkMode[];

/** A content that was read and cut into chunks. */
interface NewContent {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly parsed: ParsedFile;
}

type Column = keyof Chunks;

/** Makes a segment of contents, one after the other. */
export class SegmentBuilder {
  readonly #keys: string[] = [];
  readonly #languages: string[] = [];
  readonly #encodings: string[] = [];
  readonly #bytes = new GrowingList();
  readonly #firstChunks = new GrowingList();
  readonly #lengths = new GrowingList();
  readonly #columns = new Map<Column, GrowingList>();
  readonly #strings = new Map<string, number>([["", 0]]);
  readonly #docStarts = new GrowingList();
  readonly #docPlaces = new GrowingList();
  readonly #terms: TermTable;
  readonly #trigrams = new TrigramTable();
  readonly #facts = new FactTable();
  readonly #imports = new ValueTable();
  #chunkCount = 0;
  #size = 0;

  constructor(options: { readonly isLarge: boolean }) {
    this.#terms = new TermTable(options);
  }

  /** Bytes of all contents so far. */
  get size(): number {
    return this.#size;
  }

  get length(): number {
    return this.#keys.length;
  }

  add({ key, bytes, text, parsed }: NewContent): void {
    const content = this.#keys.length;
    this.#keys.push(key);
    this.#languages.push(parsed.language);
    this.#encodings.push(parsed.encoding);
    this.#bytes.push(bytes.length);
    this.#size += bytes.length;
    this.#firstChunks.push(this.#chunkCount);
    this.#trigrams.add(content, parsed.encoding === "utf-8" ? bytes : Buffer.from(text));
    this.#facts.add(this.#chunkCount, parsed.words, parsed.facts);
    this.#imports.add(content, parsed.imports);
    let words = 0;
    for (const chunk of parsed.chunks) {
      const length = this.#terms.add(this.#chunkCount, { ...chunk, text });
      if (chunk.mode !== "extracted-prose") words += length;
      this.#docStarts.push(this.#docPlaces.length);
      for (const place of chunk.docs) this.#docPlaces.push(place);
      this.#addRow({
        content,
        mode: chunkModes.indexOf(chunk.mode),
        kind: chunkKinds.indexOf(chunk.kind),
        name: numberIn(this.#strings, chunk.name),
        signature: numberIn(this.#strings, chunk.signature),
        header: numberIn(this.#strings, chunk.header),
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        nameLine: chunk.nameLine,
        start: chunk.start,
        end: chunk.end,
        from: chunk.from,
        to: chunk.to,
        part: Math.min(chunk.part, 65_535),
        flags: chunk.flags,
        length,
      });
      for (let count = 0; count < 4; count += 1) {
        const value = chunk.counts?.[count];
        this.#column("counts").push(value === undefined ? noCount : Math.min(value, noCount - 1));
      }
      this.#chunkCount += 1;
    }
    this.#lengths.push(words);
  }

  finish(): Segment {
    const { trigrams, lists: trigramLists } = this.#trigrams.freeze();
    const { terms, lists: termLists, stems, stemLists } = this.#terms.freeze();
    const { words: imports, lists: importLists } = this.#imports.freeze();
    this.#firstChunks.push(this.#chunkCount);
    this.#docStarts.push(this.#docPlaces.length);
    return {
      contents: {
        keys: this.#keys,
        languages: this.#languages,
        encodings: this.#encodings,
        bytes: this.#bytes.view().slice(),
        firstChunks: this.#firstChunks.view().slice(),
        lengths: this.#lengths.view().slice(),
      },
      chunks: {
        content: this.#wide("content"),
        mode: this.#narrow("mode"),
        kind: this.#narrow("kind"),
        name: this.#wide("name"),
        signature: this.#wide("signature"),
        header: this.#wide("header"),
        startLine: this.#wide("startLine"),
        endLine: this.#wide("endLine"),
        nameLine: this.#wide("nameLine"),
        start: this.#wide("start"),
        end: this.#wide("end"),
        from: this.#wide("from"),
        to: this.#wide("to"),
        part: Uint16Array.from(this.#column("part").view()),
        counts: Uint16Array.from(this.#column("counts").view()),
        flags: this.#narrow("flags"),
        length: this.#wide("length"),
      },
      strings: WordBlob.of([...this.#strings.keys()]),
      docs: { starts: this.#docStarts.view().slice(), places: this.#docPlaces.view().slice() },
      terms,
      termLists,
      stems,
      stemLists,
      trigrams,
      trigramLists,
      facts: this.#facts.freeze(),
      imports,
      importLists,
    };
  }

  #addRow(row: Readonly<Record<Exclude<Column, "counts">, number>>): void {
    for (const column in row) this.#column(column as Column).push(row[column as Exclude<Column, "counts">]);
  }

  #column(name: Column): GrowingList {
    const known = this.#columns.get(name);
    if (known) return known;
    const made = new GrowingList(64);
    this.#columns.set(name, made);
    return made;
  }

  #wide(name: Column): Uint32Array {
    return this.#column(name).view().slice();
  }

  #narrow(name: Column): Uint8Array {
    return Uint8Array.from(this.#column(name).view());
  }
}
