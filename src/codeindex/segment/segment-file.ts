import { packChunks, unpackChunks } from "./chunk-columns.ts";
import type { FrozenLists } from "./frozen-lists.ts";
import { readHalfBytes, readSteps, writeHalfBytes, writeSteps } from "./half-bytes.ts";
import type { Segment } from "./segment.ts";
import { WordBlob } from "./word-blob.ts";
import type { WordParts } from "./word-parts.ts";

/** Raised whenever a segment is written differently: one that was written otherwise is built again. */
export const segmentFormat = 4;

const magic = "crewdeck segment\n";

interface Section {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  /** How many numbers or words it holds. */
  readonly count: number;
}

interface Header {
  readonly format: number;
  readonly keys: readonly string[];
  readonly languages: readonly string[];
  readonly encodings: readonly string[];
  readonly sections: readonly Section[];
}

/** A segment as bytes: a line of JSON that says what is where, then the columns, as small as they can be read at once. */
export function encodeSegment(segment: Segment): Uint8Array[] {
  const { contents, docs, facts } = segment;
  const parts: Uint8Array[] = [];
  const sections: Section[] = [];
  let at = 0;
  const add = (name: string, bytes: Uint8Array, count: number): void => {
    sections.push({ name, at, bytes: bytes.length, count });
    parts.push(bytes);
    at += bytes.length;
  };
  const numbers = (name: string, list: Uint32Array): void => add(name, writeHalfBytes(list), list.length);
  const steps = (name: string, list: ArrayLike<number>): void => add(name, writeSteps(list), list.length);
  const words = (name: string, blob: WordBlob): void => add(name, blob.bytes, blob.length);
  const lists = (name: string, { bytes, starts }: FrozenLists): void => {
    add(name, bytes, bytes.length);
    steps(`${name}.starts`, starts);
  };
  numbers("contents.bytes", contents.bytes);
  numbers("contents.lengths", contents.lengths);
  steps("contents.firstChunks", contents.firstChunks);
  for (const [name, bytes] of packChunks(segment.chunks)) add(`chunks.${name}`, bytes, segment.chunks[name].length);
  words("strings", segment.strings);
  steps("docs.starts", docs.starts);
  steps("docs.places", docs.places);
  words("terms", segment.terms);
  const { parts: wordParts } = segment.terms;
  if (wordParts) {
    steps("terms.blocks", wordParts.starts);
    steps("terms.trigrams", wordParts.trigrams);
    lists("terms.trigramLists", wordParts.lists);
  }
  lists("termLists", segment.termLists);
  words("stems", segment.stems);
  lists("stemLists", segment.stemLists);
  steps("trigrams", segment.trigrams);
  lists("trigramLists", segment.trigramLists);
  words("facts.words", facts.words);
  steps("facts.fact", facts.fact);
  steps("facts.word", facts.word);
  lists("facts.lists", facts.lists);
  words("imports", segment.imports);
  lists("importLists", segment.importLists);
  const { keys, languages, encodings } = contents;
  const header: Header = { format: segmentFormat, keys, languages, encodings, sections };
  const text = Buffer.from(`${magic}${JSON.stringify(header)}\n`);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return [size, text, ...parts];
}

/** Reads a segment; undefined where the bytes are none, or of another format. Words and lists stay where they are. */
export function decodeSegment(file: Buffer): Segment | undefined {
  if (file.length < 4) return undefined;
  const end = 4 + file.readUInt32LE(0);
  if (end > file.length || !file.toString("latin1", 4, 4 + magic.length).startsWith(magic)) return undefined;
  const header = JSON.parse(file.toString("utf8", 4 + magic.length, end)) as Header;
  if (header.format !== segmentFormat) return undefined;
  const sections = new Map(header.sections.map((section) => [section.name, section]));
  const find = (name: string): { readonly bytes: Uint8Array; readonly count: number } => {
    const section = sections.get(name);
    if (!section || end + section.at + section.bytes > file.length) throw new Error(`the segment lacks ${name}`);
    return { bytes: file.subarray(end + section.at, end + section.at + section.bytes), count: section.count };
  };
  const numbers = (name: string): Uint32Array => readHalfBytes(find(name).bytes, find(name).count);
  const steps = (name: string): Uint32Array => readSteps(find(name).bytes, find(name).count);
  const words = (name: string): WordBlob => new WordBlob(find(name).bytes, find(name).count);
  const lists = (name: string): FrozenLists => ({ bytes: find(name).bytes, starts: steps(`${name}.starts`) });
  const findParts = (): WordParts => ({
    starts: steps("terms.blocks"),
    trigrams: steps("terms.trigrams"),
    lists: lists("terms.trigramLists"),
  });
  const terms = find("terms");
  const { keys, languages, encodings } = header;
  const firstChunks = steps("contents.firstChunks");
  return {
    contents: {
      ...{ keys, languages, encodings, firstChunks },
      bytes: numbers("contents.bytes"),
      lengths: numbers("contents.lengths"),
    },
    chunks: unpackChunks(firstChunks, (column) => find(`chunks.${column}`).bytes),
    strings: words("strings"),
    docs: { starts: steps("docs.starts"), places: steps("docs.places") },
    terms: new WordBlob(terms.bytes, terms.count, sections.has("terms.blocks") ? findParts() : undefined),
    termLists: lists("termLists"),
    stems: words("stems"),
    stemLists: lists("stemLists"),
    trigrams: steps("trigrams"),
    trigramLists: lists("trigramLists"),
    facts: {
      words: words("facts.words"),
      fact: new Uint8Array(steps("facts.fact")),
      word: steps("facts.word"),
      lists: lists("facts.lists"),
    },
    imports: words("imports"),
    importLists: lists("importLists"),
  };
}
