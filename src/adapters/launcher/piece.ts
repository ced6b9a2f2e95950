import { readOn } from "../regular-file.ts";

/** Whole lines that came since the last time. */
export interface Piece {
  readonly text: string;
  /** The file begins with them. */
  readonly isNew: boolean;
}

const mostAtOnce = 1024 * 1024;

/** Follows files as they grow. A line longer than a piece is left out. */
export function followWith(): (file: string) => Piece | undefined {
  const places = new Map<string, number>();
  return (file) => {
    const known = places.get(file) ?? 0;
    const seen = readOn(file, known, mostAtOnce);
    // One that is shorter than it was is another file.
    const from = seen && seen.size < known ? 0 : known;
    const part = from === known ? seen : readOn(file, from, mostAtOnce);
    if (part === undefined || part.bytes.length === 0) return undefined;
    const end = part.bytes.lastIndexOf(0x0a) + 1;
    const length = end === 0 && part.bytes.length === mostAtOnce ? mostAtOnce : end;
    places.set(file, from + length);
    return end === 0 ? undefined : { text: part.bytes.toString("utf8", 0, end), isNew: from === 0 };
  };
}
