import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { Refusal } from "../../../contract/refusal.ts";
import { type ArchiveWatch, unsafe } from "./entry-names.ts";

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
}

/** Unpacks a zip archive by its directory, which is what every other program believes too. */
export async function unpackZip(
  path: string,
  into: string,
  { watch, signal }: { watch: ArchiveWatch; signal: AbortSignal },
): Promise<void> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    for (const entry of await listEntries(file, size)) {
      signal.throwIfAborted();
      if (entry.name.endsWith("/")) {
        await mkdir(join(into, watch.admit(entry.name, "folder")), { recursive: true, mode: 0o700 });
        continue;
      }
      const target = join(into, watch.admit(entry.name, "file"));
      watch.count(0, entry.size);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeEntry(file, { entry, target, watch, signal });
    }
  } finally {
    await file.close();
  }
}

async function listEntries(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const tail = await read(file, Math.max(0, size - 65_557), Math.min(size, 65_557));
  const end = tail.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end === -1 || tail.length - end < 22) throw unsafe("it is damaged.");
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff || start + length > size) throw unsafe("it is damaged.");
  const directory = await read(file, start, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length; ) {
    if (directory.length - at < 46 || directory.readUInt32LE(at) !== 0x02014b50) throw unsafe("it is damaged.");
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const flags = directory.readUInt16LE(at + 8);
    const type = (directory.readUInt32LE(at + 38) >>> 16) & 0o170000;
    if ((flags & 1) !== 0) throw unsafe("it is encrypted.");
    if (type !== 0 && type !== 0o100000 && type !== 0o040000) throw unsafe("it holds links or devices.");
    entries.push({
      name: directory.subarray(at + 46, at + 46 + (nameLength ?? 0)).toString("utf8"),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    });
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  if (entries.length !== count) throw unsafe("it is damaged.");
  return entries;
}

interface Writing {
  readonly entry: ZipEntry;
  readonly target: string;
  readonly watch: ArchiveWatch;
  readonly signal: AbortSignal;
}

async function writeEntry(file: FileHandle, { entry, target, watch, signal }: Writing): Promise<void> {
  const header = await read(file, entry.at, 30);
  if (header.readUInt32LE(0) !== 0x04034b50) throw unsafe("it is damaged.");
  const nameLength = header.readUInt16LE(26);
  const name = (await read(file, entry.at + 30, nameLength)).toString("utf8");
  if (name !== entry.name) throw unsafe("an entry has two names.");
  if (entry.method !== 0 && entry.method !== 8) throw unsafe("it is packed in a way that is not supported.");
  const start = entry.at + 30 + nameLength + header.readUInt16LE(28);
  let size = 0;
  let crc = 0xffffffff;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      crc = crcOf(chunk, crc);
      try {
        watch.count(chunk.length, size);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const source = chunksOf(file, start, entry.packed);
  const sink = createWriteStream(target, { flags: "wx", mode: 0o600 });
  try {
    if (entry.method === 8) await pipeline(source, createInflateRaw(), counting, sink, { signal });
    else await pipeline(source, counting, sink, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Refusal ? error : unsafe("it is damaged.");
  }
  if (size !== entry.size || (crc ^ 0xffffffff) >>> 0 !== entry.crc) throw unsafe("it is damaged.");
}

async function* chunksOf(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; ) {
    const chunk = await read(file, start + done, Math.min(65_536, length - done));
    done += chunk.length;
    yield chunk;
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead !== length) throw unsafe("it is damaged.");
  return buffer;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crcOf(bytes: Buffer, before: number): number {
  let crc = before;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return crc;
}
