import { mostBytes } from "./parse/limits.ts";
import { decodeText } from "./parse/source-text.ts";
import { type Entry, oidOf } from "./tree/entry.ts";
import { blobIdOf, TreeReader } from "./tree/read-file.ts";

/** Characters of text that are kept at hand. */
const mostKept = 48 * 1024 * 1024;

/** What contents say, read from the files that have them. One that was read lately is not read again. */
export class Texts {
  readonly #texts = new Map<string, string>();
  #size = 0;

  /** Undefined where the file has another content by now. */
  read(root: string, entry: Entry): string | undefined {
    const { key } = entry;
    if (key === undefined) return undefined;
    const kept = this.#texts.get(key);
    return kept ?? this.readNow(root, entry);
  }

  /** The same from the disk, for hits that are about to be shown while not everything has been looked at. */
  readNow(root: string, { raw, key }: Entry): string | undefined {
    const read = new TreeReader(root).read(raw, mostBytes);
    if (read === undefined || "skipped" in read || key === undefined) return undefined;
    if (blobIdOf(read.bytes) !== oidOf(key)) return undefined;
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
