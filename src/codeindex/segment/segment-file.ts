import type { Segment } from "./segment.ts";
import { WordBlob } from "./word-blob.ts";

/** Raised whenever a segment is written differently: one that was written otherwise is built again. */
export const segmentFormat = 2;

const magic = "crewdeck segment\n";
const types = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const;

interface Section {
  readonly name: string;
  readonly type: keyof typeof types;
  readonly at: number;
  readonly length: number;
}

interface Header {
  readonly format: number;
  readonly keys: readonly string[];
  readonly languages: readonly string[];
  readonly encodings: readonly string[];
  readonly sections: readonly Section[];
}

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** A segment as bytes: a line of JSON that says what is where, then the columns. */
export function encodeSegment(segment: Segment): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const sections: Section[] = [];
  let at = 0;
  for (const [name, numbers] of columnsOf(segment)) {
    const type = numbers.BYTES_PER_ELEMENT === 4 ? "u32" : numbers.BYTES_PER_ELEMENT === 2 ? "u16" : "u8";
    sections.push({ name, type, at, length: numbers.length });
    const padding = (4 - (numbers.byteLength % 4)) % 4;
    parts.push(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), new Uint8Array(padding));
    at += numbers.byteLength + padding;
  }
  const { keys, languages, encodings } = segment.contents;
  const header: Header = { format: segmentFormat, keys, languages, encodings, sections };
  const text = `${magic}${JSON.stringify(header)}\n`;
  const padded = Buffer.from(text.padEnd(text.length + ((4 - ((Buffer.byteLength(text) + 4) % 4)) % 4)));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(padded.length);
  return [size, padded, ...parts];
}

/** Reads a segment without copying its columns. Undefined where the bytes are none, or of another format. */
export function decodeSegment(file: Buffer): Segment | undefined {
  const bytes = file.byteOffset % 4 === 0 ? file : Buffer.from(file);
  if (bytes.length < 4) return undefined;
  const end = 4 + bytes.readUInt32LE(0);
  if (end > bytes.length || !bytes.toString("latin1", 4, 4 + magic.length).startsWith(magic)) return undefined;
  const header = JSON.parse(bytes.toString("utf8", 4 + magic.length, end)) as Header;
  if (header.format !== segmentFormat) return undefined;
  const columns = new Map<string, Numbers>();
  for (const { name, type, at, length } of header.sections) {
    const place = end + at;
    if (place + length * types[type].BYTES_PER_ELEMENT > bytes.length) return undefined;
    columns.set(name, new types[type](bytes.buffer as ArrayBuffer, bytes.byteOffset + place, length));
  }
  return assemble(header, columns);
}

function columnsOf(segment: Segment): [string, Numbers][] {
  const { contents, chunks, facts } = segment;
  const blob = (name: string, { bytes, ends }: { bytes: Uint8Array; ends: Uint32Array }): [string, Numbers][] => [
    [`${name}.bytes`, bytes],
    [`${name}.ends`, ends],
  ];
  const lists = (name: string, { bytes, starts }: Segment["termLists"]): [string, Numbers][] => [
    [`${name}.bytes`, bytes],
    [`${name}.starts`, starts],
  ];
  return [
    ["contents.bytes", contents.bytes],
    ["contents.firstChunks", contents.firstChunks],
    ["contents.lengths", contents.lengths],
    ...Object.entries(chunks).map(([name, column]): [string, Numbers] => [`chunks.${name}`, column as Numbers]),
    ...blob("strings", segment.strings),
    ...blob("docs", segment.docs),
    ...blob("terms", segment.terms),
    ...lists("termLists", segment.termLists),
    ...blob("stems", segment.stems),
    ...lists("stemLists", segment.stemLists),
    ["trigrams", segment.trigrams],
    ...lists("trigramLists", segment.trigramLists),
    ...blob("facts.words", facts.words),
    ["facts.fact", facts.fact],
    ["facts.word", facts.word],
    ...lists("facts.lists", facts.lists),
    ...blob("imports", segment.imports),
    ...lists("importLists", segment.importLists),
  ];
}

function assemble({ keys, languages, encodings }: Header, columns: ReadonlyMap<string, Numbers>): Segment {
  const u8 = (name: string): Uint8Array => get(name, Uint8Array);
  const u16 = (name: string): Uint16Array => get(name, Uint16Array);
  const u32 = (name: string): Uint32Array => get(name, Uint32Array);
  const blob = (name: string): WordBlob => new WordBlob(u8(`${name}.bytes`), u32(`${name}.ends`));
  const lists = (name: string): Segment["termLists"] => ({ bytes: u8(`${name}.bytes`), starts: u32(`${name}.starts`) });
  function get<Kind extends Numbers>(name: string, kind: new (length: number) => Kind): Kind {
    const column = columns.get(name);
    if (column instanceof kind) return column;
    throw new Error(`the segment lacks ${name}`);
  }
  return {
    contents: {
      keys,
      languages,
      encodings,
      bytes: u32("contents.bytes"),
      firstChunks: u32("contents.firstChunks"),
      lengths: u32("contents.lengths"),
    },
    chunks: {
      content: u32("chunks.content"),
      mode: u8("chunks.mode"),
      kind: u8("chunks.kind"),
      name: u32("chunks.name"),
      signature: u32("chunks.signature"),
      header: u32("chunks.header"),
      startLine: u32("chunks.startLine"),
      endLine: u32("chunks.endLine"),
      nameLine: u32("chunks.nameLine"),
      start: u32("chunks.start"),
      end: u32("chunks.end"),
      from: u32("chunks.from"),
      to: u32("chunks.to"),
      part: u16("chunks.part"),
      counts: u16("chunks.counts"),
      flags: u8("chunks.flags"),
      length: u32("chunks.length"),
    },
    strings: blob("strings"),
    docs: { bytes: u8("docs.bytes"), ends: u32("docs.ends") },
    terms: blob("terms"),
    termLists: lists("termLists"),
    stems: blob("stems"),
    stemLists: lists("stemLists"),
    trigrams: u32("trigrams"),
    trigramLists: lists("trigramLists"),
    facts: { words: blob("facts.words"), fact: u8("facts.fact"), word: u32("facts.word"), lists: lists("facts.lists") },
    imports: blob("imports"),
    importLists: lists("importLists"),
  };
}
