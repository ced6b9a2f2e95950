import { parseJson } from "../json-guard.ts";

/** Room for every member of a message but the insides of its params. */
const mostBytes = 16 * 1024;

/** As deep as JSON may be that is read at all. */
const deepest = 100;

/**
 * A frame that is too large to be kept, without what stands inside its members' objects and lists: enough to tell which
 * request is to be refused. Text within params never counts, whatever it looks like.
 */
export class FrameOutline {
  readonly #kept = Buffer.alloc(mostBytes);
  #length = 0;
  readonly #closers: number[] = [];
  #isInString = false;
  #isEscaped = false;
  #isUnsure = false;

  /** The next bytes of the frame. */
  read(part: Buffer): void {
    for (const byte of part) {
      if (this.#isUnsure) return;
      const isOutside = this.#closers.length < 2;
      this.#follow(byte);
      if (isOutside || this.#closers.length < 2) this.#keep(byte);
    }
  }

  /** The id of the request that this was, where that is certain. */
  requestId(): string | number | null {
    if (this.#isUnsure) return null;
    try {
      return idIn(parseJson(this.#kept.toString("utf8", 0, this.#length)));
    } catch {
      return null;
    }
  }

  #follow(byte: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === 0x5c) this.#isEscaped = true;
      else if (byte === 0x22) this.#isInString = false;
    } else if (byte === 0x22) this.#isInString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#isUnsure = this.#closers.push(byte + 2) > deepest;
    else if (byte === 0x7d || byte === 0x5d) this.#isUnsure = this.#closers.pop() !== byte;
  }

  #keep(byte: number): void {
    if (this.#length === mostBytes) this.#isUnsure = true;
    else this.#kept[this.#length++] = byte;
  }
}

/** A frame without a method answers us; refused under its id, it would pass for the answer to a request of the client's. */
function idIn(value: unknown): string | number | null {
  if (typeof value !== "object" || value === null || !("id" in value && "method" in value)) return null;
  const { id, method } = value;
  const isId = typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
  return isId && typeof method === "string" ? id : null;
}
