import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";

/** Not through a link in the last place, and never waiting for whoever holds the other end of a pipe. */
const asItIs = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A file of a repository, which may be anybody's: undefined where it is missing, a link, a folder, a pipe, a device or
 * larger than expected. Everything in a repository is read through here or through git.
 */
export async function readRegular(path: string | Buffer, mostBytes: number): Promise<Buffer | undefined> {
  const opened = await openRegular(path);
  if (opened === undefined) return undefined;
  const { file, size } = opened;
  try {
    if (size > mostBytes) return undefined;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** The same file, open, for whoever reads it piece by piece and closes it. */
export async function openRegular(path: string | Buffer): Promise<{ file: FileHandle; size: number } | undefined> {
  const file = await open(path, asItIs).catch(() => undefined);
  if (file === undefined) return undefined;
  const stats = await file.stat().catch(() => undefined);
  if (stats?.isFile()) return { file, size: stats.size };
  await file.close();
  return undefined;
}

/** One line of text, as git notes names and places; undefined as above. */
export async function readLine(path: string): Promise<string | undefined> {
  return (await readRegular(path, 64 * 1024))?.toString("utf8").replace(/\r?\n$/, "");
}

/** Copies such a file; false where it is none. */
export async function copyRegular(from: string, to: string, mostBytes: number): Promise<boolean> {
  const bytes = await readRegular(from, mostBytes);
  if (bytes === undefined) return false;
  await writeFile(to, bytes, { flag: "wx", mode: 0o600 });
  return true;
}

/** A small file of the home, which may be a link of its owner's; undefined where it is missing or no plain file. */
export const readOwnFile = (path: string): string | undefined => readOwnBytes(path)?.toString("utf8");

export const readOwnBytes = (path: string): Buffer | undefined =>
  withOwn(path, (file, size) => (size <= largestOwn ? readFileSync(file) : undefined));

/** The end of a file of the home that may have grown long; empty where it is missing or no plain file. */
export const readTail = (path: string, mostBytes: number): string =>
  withOwn(path, (file, size) => {
    const length = Math.min(size, mostBytes);
    return readAt(file, size - length, length).toString("utf8");
  }) ?? "";

/** The same from somewhere on, for whoever follows it as it grows. */
export const readOn = (path: string, from: number, mostBytes: number): { bytes: Buffer; size: number } | undefined =>
  withOwn(path, (file, size) => ({ bytes: readAt(file, from, Math.max(0, Math.min(size - from, mostBytes))), size }));

function readAt(file: number, from: number, mostBytes: number): Buffer {
  const bytes = Buffer.alloc(mostBytes);
  return bytes.subarray(0, readSync(file, bytes, 0, mostBytes, from));
}

function withOwn<T>(path: string, read: (file: number, size: number) => T): T | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    return stats.isFile() ? read(file, stats.size) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const largestOwn = 16 * 1024 * 1024;
