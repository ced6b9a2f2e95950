import { isUtf8 } from "node:buffer";
import type { Encoding } from "../parsed-file.ts";

/** The text of a file's bytes, or undefined where they are no text. Whatever was decoded can be found in the bytes again. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.length % 2 === 0 && buffer[0] === 0xff && buffer[1] === 0xfe) {
    return keepText(buffer.toString("utf16le"), "utf-16le");
  }
  if (buffer.length % 2 === 0 && buffer[0] === 0xfe && buffer[1] === 0xff) {
    return keepText(Buffer.from(buffer).swap16().toString("utf16le"), "utf-16be");
  }
  if (buffer.includes(0)) return undefined;
  return isUtf8(buffer)
    ? { text: buffer.toString("utf8"), encoding: "utf-8" }
    : { text: buffer.toString("latin1"), encoding: "latin-1" };
}

const keepText = (text: string, encoding: Encoding) => (text.includes("\0") ? undefined : { text, encoding });

/** A decoded file with its lines, counted from 0, and the way back to bytes. */
export class SourceText {
  readonly text: string;
  readonly encoding: Encoding;
  /** Where each line begins, in characters. */
  readonly lineStarts: Uint32Array;
  /** Where each line begins in bytes, where that is not plain from the characters. */
  readonly #lineBytes: Uint32Array | undefined;

  constructor({ text, encoding }: { readonly text: string; readonly encoding: Encoding }, byteLength: number) {
    this.text = text;
    this.encoding = encoding;
    this.lineStarts = findLines(text);
    if (encoding === "utf-8" && byteLength !== text.length) this.#lineBytes = this.#countBytes();
  }

  get lineCount(): number {
    return this.lineStarts.length;
  }

  /** The line without its end. */
  line(number: number): string {
    return this.text.slice(this.lineStarts[number] ?? 0, this.endOf(number));
  }

  /** Where the line's text ends: before its line feed, and before the return in front of that. */
  endOf(number: number): number {
    const next = this.lineStarts[number + 1];
    if (next === undefined) return this.text.length;
    return this.text.charCodeAt(next - 2) === 13 && next - 2 >= (this.lineStarts[number] ?? 0) ? next - 2 : next - 1;
  }

  isBlank(number: number): boolean {
    const end = this.endOf(number);
    for (let at = this.lineStarts[number] ?? 0; at < end; at += 1) {
      if (this.text.charCodeAt(at) > 32) return false;
    }
    return true;
  }

  /** The line a character is on. */
  lineOf(at: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  byteOf(at: number): number {
    if (this.encoding === "utf-16le" || this.encoding === "utf-16be") return at * 2;
    if (!this.#lineBytes) return at;
    const line = this.lineOf(at);
    return (this.#lineBytes[line] ?? 0) + Buffer.byteLength(this.text.slice(this.lineStarts[line] ?? 0, at));
  }

  #countBytes(): Uint32Array {
    const bytes = new Uint32Array(this.lineStarts.length);
    for (let line = 1; line < bytes.length; line += 1) {
      const before = this.text.slice(this.lineStarts[line - 1], this.lineStarts[line]);
      bytes[line] = (bytes[line - 1] ?? 0) + Buffer.byteLength(before);
    }
    return bytes;
  }
}

function findLines(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}
