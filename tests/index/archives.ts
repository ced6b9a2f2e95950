import { deflateRawSync, gzipSync } from "node:zlib";

/** Archives as somebody with bad intent would make them: nothing is checked here. */

interface TarEntry {
  readonly name: string;
  readonly type?: string;
  readonly content?: Buffer | string;
  readonly link?: string;
  /** What the header says, if not the truth. */
  readonly size?: number;
}

export function tar(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap(({ name, type = "0", content = "", link = "", size }) => {
    const body = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write("0000644\0", 100);
    header.write(`${(size ?? body.length).toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write("        ", 148);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write("ustar\0", 257);
    header.write("00", 263);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1_024)]);
}

export const tgz = (entries: readonly TarEntry[]): Buffer => gzipSync(tar(entries));

interface ZipEntry {
  readonly name: string;
  readonly content?: Buffer | string;
  /** The kind of file that Unix would make of it. */
  readonly mode?: number;
  /** What the file itself is called, if not as the directory says. */
  readonly localName?: string;
  /** What the directory says it unpacks to. */
  readonly size?: number;
  readonly isEncrypted?: boolean;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content = "", mode = 0o100644, localName = name, size, isEncrypted } of entries) {
    const body = Buffer.from(content);
    const packed = deflateRawSync(body);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(Buffer.byteLength(localName), 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(crc32(body), 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size ?? body.length, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(localName), packed);
    directory.push(central, Buffer.from(name));
    at += 30 + Buffer.byteLength(localName) + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, listed, end]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
