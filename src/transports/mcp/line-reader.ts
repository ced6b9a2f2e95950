export interface LineEvents {
  line(text: string): void;
  /** A line went over the limit; it is skipped to its end. */
  tooLong(): void;
}

const newline = 0x0a;

/** Cuts a byte stream into lines, holding at most `limit` bytes of an unfinished one. */
export class LineReader {
  readonly #limit: number;
  readonly #events: LineEvents;
  #parts: Buffer[] = [];
  #size = 0;
  #isSkipping = false;

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
    if (this.#isSkipping || part.length === 0) return;
    this.#size += part.length;
    if (this.#size > this.#limit) {
      this.#isSkipping = true;
      this.#parts = [];
      this.#events.tooLong();
    } else {
      this.#parts.push(part);
    }
  }

  #finish(): void {
    const [only] = this.#parts;
    const text = this.#parts.length === 1 && only ? only.toString("utf8") : Buffer.concat(this.#parts).toString("utf8");
    const wasSkipping = this.#isSkipping;
    this.#parts = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (!wasSkipping) this.#events.line(text);
  }
}
