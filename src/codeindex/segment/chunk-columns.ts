import { readHalfBytes, readSteps, signed, unsigned, writeHalfBytes, writeSteps } from "./half-bytes.ts";
import type { Chunks } from "./segment.ts";

/** What is written of chunks. Which content each belongs to follows from where the contents begin. */
type Column = Exclude<keyof Chunks, "content">;

/**
 * The column of which a number is written as a difference: of the same row, or for its own column of the row before. Those
 * without one are small as they are. Each stands behind those it needs.
 */
const columns = {
  mode: undefined,
  kind: undefined,
  flags: undefined,
  part: undefined,
  counts: undefined,
  length: undefined,
  name: "name",
  signature: "signature",
  header: "header",
  startLine: "startLine",
  endLine: "startLine",
  nameLine: "startLine",
  start: "start",
  end: "start",
  from: "start",
  to: "end",
} as const satisfies Record<Column, Column | undefined>;

const listColumns = (): Column[] => Object.keys(columns) as Column[];

export function packChunks(chunks: Chunks): [Column, Uint8Array][] {
  return listColumns().map((name) => {
    const numbers = chunks[name];
    const near = columns[name];
    // Shifted, so that not being counted takes as little room as most counts do.
    if (name === "counts") return [name, writeHalfBytes(chunks.counts.map((count) => count + 1))];
    if (near === undefined) return [name, writeHalfBytes(numbers)];
    if (near === name) return [name, writeSteps(numbers)];
    const others = chunks[near];
    const differences = Uint32Array.from(numbers, (number, row) => unsigned(number - (others[row] ?? 0)));
    return [name, writeHalfBytes(differences)];
  });
}

export function unpackChunks(firstChunks: Uint32Array, read: (column: Column) => Uint8Array): Chunks {
  const count = firstChunks.at(-1) ?? 0;
  const content = new Uint32Array(count);
  for (let at = 0; at + 1 < firstChunks.length; at += 1) content.fill(at, firstChunks[at], firstChunks[at + 1]);
  const plain = (name: Column): Uint32Array => readHalfBytes(read(name), name === "counts" ? count * 4 : count);
  const own = (name: Column): Uint32Array => readSteps(read(name), count);
  const beside = (name: Column, others: Uint32Array): Uint32Array => {
    const numbers = plain(name);
    for (let row = 0; row < count; row += 1) numbers[row] = (others[row] ?? 0) + signed(numbers[row] ?? 0);
    return numbers;
  };
  const counts = new Uint16Array(plain("counts"));
  for (let at = 0; at < counts.length; at += 1) counts[at] = (counts[at] ?? 0) - 1;
  const startLine = own("startLine");
  const start = own("start");
  const end = beside("end", start);
  return {
    content,
    mode: new Uint8Array(plain("mode")),
    kind: new Uint8Array(plain("kind")),
    name: own("name"),
    signature: own("signature"),
    header: own("header"),
    startLine,
    endLine: beside("endLine", startLine),
    nameLine: beside("nameLine", startLine),
    start,
    end,
    from: beside("from", start),
    to: beside("to", end),
    part: new Uint16Array(plain("part")),
    counts,
    flags: new Uint8Array(plain("flags")),
    length: plain("length"),
  };
}
