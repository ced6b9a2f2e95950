import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";

/** The vectors of chunks that were ever asked for, kept in a file to which new ones are added. */
export class VectorBook {
  readonly #path: string;
  readonly #vectors = new Map<string, Float32Array>();
  #writing: Promise<unknown> = Promise.resolve();
  isAbandoned = false;

  private constructor(path: string) {
    this.#path = path;
  }

  /** What can't be read is made again, and what was half written goes: else nothing behind it could be read. */
  static async open(path: string): Promise<VectorBook> {
    const book = new VectorBook(path);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    let at = 0;
    while (at + 4 <= bytes.length) {
      const [keyLength, floats] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
      const end = at + 4 + keyLength + floats * 4;
      if (end > bytes.length) break;
      const key = bytes.toString("latin1", at + 4, at + 4 + keyLength);
      const vector = new Float32Array(floats);
      for (let place = 0; place < floats; place += 1) vector[place] = bytes.readFloatLE(at + 4 + keyLength + place * 4);
      book.#vectors.set(key, vector);
      at = end;
    }
    if (at < bytes.length) await truncate(path, at);
    return book;
  }

  get(key: string): Float32Array | undefined {
    return this.#vectors.get(key);
  }

  async add(found: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void> {
    for (const [key, vector] of found) this.#vectors.set(key, vector);
    if (this.isAbandoned) return;
    const writing = this.#write(found);
    this.#writing = Promise.allSettled([this.#writing, writing]);
    await writing;
  }

  /** Writes nothing any more, and waits for what is being written: its folder is about to go. */
  async abandon(): Promise<void> {
    this.isAbandoned = true;
    await this.#writing;
  }

  async #write(found: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await appendFile(this.#path, Buffer.concat(found.map(([key, vector]) => recordOf(key, vector))), { mode: 0o600 });
  }
}

/** The lengths of both, the key, the numbers. */
function recordOf(key: string, vector: Float32Array): Buffer {
  const record = Buffer.alloc(4 + key.length + vector.length * 4);
  record.writeUInt16LE(key.length, 0);
  record.writeUInt16LE(vector.length, 2);
  record.write(key, 4, "latin1");
  for (const [place, value] of vector.entries()) record.writeFloatLE(value, 4 + key.length + place * 4);
  return record;
}
