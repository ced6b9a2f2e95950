import { mostBytes } from "./parse/limits.ts";
import { decodeText } from "./parse/source-text.ts";
import { type Entry, oidOf } from "./tree/entry.ts";
import { blobIdOf, type ReadBytes, type TreeReader } from "./tree/read-file.ts";

/** Characters of text that are kept at hand. */
const mostKept = 24 * 1024 * 1024;

/** What contents say, read from the files that have them. One that was read lately is not read again. */
export class Texts {
  readonly #texts = new Map<string, string>();
  #size = 0;

  /** Undefined where the file has another content by now. */
  read(reader: TreeReader, entry: Entry): string | undefined {
    return this.find(entry) ?? this.readNow(reader, entry);
  }

  /** What is at hand. */
  find({ key }: Entry): string | undefined {
    return key === undefined ? undefined : this.#texts.get(key);
  }

  /** The bytes, until others are read; undefined where the file has other ones by now. */
  peek(reader: TreeReader, entry: Entry): Buffer | undefined {
    const read = reader.peek(entry.raw, mostBytes);
    return read !== undefined && !("skipped" in read) && isStill(entry, read) ? read.bytes : undefined;
  }

  /** The same from the disk, for hits that are about to be shown while not everything has been looked at. */
  readNow(reader: TreeReader, entry: Entry): string | undefined {
    const { raw, key } = entry;
    const read = reader.read(raw, mostBytes);
    if (read === undefined || "skipped" in read || key === undefined || !isStill(entry, read)) return undefined;
    const text = decodeText(read.bytes)?.text;
    if (text !== undefined) this.#keep(key, text);
    return text;
  }

  #keep(key: string, text: string): void {
    if (this.#texts.has(key)) return;
    this.#texts.set(key, text);
    this.#size += text.length;
    for (const [old, one] of this.#texts) {
      if (this.#size <= mostKept) break;
      this.#texts.delete(old);
      this.#size -= one.length;
    }
  }
}

/** Whether a file has the content it had: it was not touched since, or says the same. */
const isStill = ({ stamp, key }: Entry, read: ReadBytes): boolean =>
  key !== undefined && ((stamp !== undefined && stamp === read.stamp) || blobIdOf(read.bytes) === oidOf(key));
