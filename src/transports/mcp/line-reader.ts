import { FrameOutline } from "./frame-outline.ts";

interface LineEvents {
  line(text: string): void;
  /** A line over the limit has come to its end; with the id of the request that it was, where that is certain. */
  tooLong(id: string | number | null): void;
}

const newline = 0x0a;

/** Cuts a byte stream into lines, holding at most `limit` bytes of an unfinished one. */
export class LineReader {
  readonly #limit: number;
  readonly #events: LineEvents;
  #parts: Buffer[] = [];
  #size = 0;
  #outline: FrameOutline | undefined;

  constructor(limit: number, events: LineEvents) {
    this.#limit = limit;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= this.#limit) {
      this.#parts.push(part);
      return;
    }
    this.#outline ??= this.#outlineSoFar();
    this.#outline.read(part);
  }

  #outlineSoFar(): FrameOutline {
    const outline = new FrameOutline();
    for (const part of this.#parts) outline.read(part);
    this.#parts = [];
    return outline;
  }

  #finish(): void {
    const [only] = this.#parts;
    const text = this.#parts.length === 1 && only ? only.toString("utf8") : Buffer.concat(this.#parts).toString("utf8");
    const outline = this.#outline;
    this.#parts = [];
    this.#size = 0;
    this.#outline = undefined;
    if (outline) this.#events.tooLong(outline.requestId());
    else this.#events.line(text);
  }
}
