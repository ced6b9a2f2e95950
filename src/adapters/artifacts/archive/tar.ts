import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { type ArchiveWatch, unsafe } from "./entry-names.ts";

/** Unpacks a tar archive, gzipped or not, entry by entry: never more than one block of it is held. */
export async function unpackTar(
  file: string,
  into: string,
  { watch, isGzipped, signal }: { watch: ArchiveWatch; isGzipped: boolean; signal: AbortSignal },
): Promise<void> {
  const raw = createReadStream(file);
  const stream = isGzipped ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => stream.destroy(error));
  const bytes = new Bytes(stream as AsyncIterable<Buffer>);
  try {
    let longName: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const header = await bytes.take(512);
      if (header === undefined || header.every((byte) => byte === 0)) return;
      checkSum(header);
      const size = readOctal(header, 124, 12);
      const type = String.fromCharCode(header[156] ?? 0);
      if (type === "x" || type === "L") {
        if (size > 64 * 1024) throw unsafe("an entry has a name without end.");
        const content = (await bytes.take(size)) ?? Buffer.alloc(0);
        await bytes.skip(paddingOf(size));
        longName = type === "L" ? textOf(content) : (paxPath(content) ?? longName);
        continue;
      }
      if (type === "g") {
        await bytes.skip(size + paddingOf(size));
        continue;
      }
      const name = longName ?? nameOf(header);
      longName = undefined;
      if (type === "5") {
        await mkdir(join(into, watch.admit(name, "folder")), { recursive: true, mode: 0o700 });
        await bytes.skip(size + paddingOf(size));
      } else if (type === "0" || type === "\0") {
        await writeEntry(bytes, join(into, watch.admit(name, "file")), { size, watch });
        await bytes.skip(paddingOf(size));
      } else throw unsafe("it holds links or devices.");
    }
  } finally {
    raw.destroy();
    stream.destroy();
  }
}

async function writeEntry(bytes: Bytes, path: string, { size, watch }: { size: number; watch: ArchiveWatch }) {
  watch.count(0, size);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  try {
    let left = size;
    while (left > 0) {
      const chunk = await bytes.some(left);
      if (chunk === undefined) throw unsafe("it ends in the middle of an entry.");
      left -= chunk.length;
      watch.count(chunk.length, size);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
}

/** A stream, read in pieces of the size that is wanted. */
class Bytes {
  readonly #from: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#from = stream[Symbol.asyncIterator]();
  }

  /** Exactly so many; undefined at the end. */
  async take(count: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let left = count;
    while (left > 0) {
      const part = await this.some(left);
      if (part === undefined) {
        if (parts.length > 0) throw unsafe("it ends in the middle of an entry.");
        return undefined;
      }
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** At least one and at most so many; undefined at the end. */
  async some(most: number): Promise<Buffer | undefined> {
    while (this.#held.length === 0) {
      const next = await this.#from.next().catch(() => {
        throw unsafe("it is damaged.");
      });
      if (next.done) return undefined;
      this.#held = next.value;
    }
    const part = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(part.length);
    return part;
  }

  async skip(count: number): Promise<void> {
    let left = count;
    while (left > 0) left -= (await this.some(left))?.length ?? left;
  }
}

const paddingOf = (size: number): number => (512 - (size % 512)) % 512;

const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString("utf8");
};

function nameOf(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = header.subarray(257, 262).toString("latin1") === "ustar";
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function readOctal(header: Buffer, at: number, length: number): number {
  const text = header
    .subarray(at, at + length)
    .toString("latin1")
    .replaceAll(/[\0 ]/g, "");
  if (!/^[0-7]*$/.test(text)) throw unsafe("it is damaged.");
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function checkSum(header: Buffer): void {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  if (sum !== readOctal(header, 148, 8)) throw unsafe("it is damaged.");
}

/** `30 path=some/long/name\n` */
function paxPath(content: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const length = space === -1 ? Number.NaN : Number(content.subarray(at, space).toString("latin1"));
    if (!Number.isInteger(length) || length < space - at + 2) throw unsafe("it is damaged.");
    const record = content.subarray(space + 1, at + length - 1).toString("utf8");
    if (record.startsWith("path=")) path = record.slice(5);
    if (/^(linkpath|size)=/.test(record)) throw unsafe("it holds links or sizes that contradict its entries.");
    at += length;
  }
  return path;
}
