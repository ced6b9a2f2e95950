import { constants } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";

/** Not through a link in the last place, and never waiting for whoever holds the other end of a pipe. */
const asItIs = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A file of a repository, which may be anybody's: undefined where it is missing, a link, a folder, a pipe, a device or
 * larger than expected. Everything in a repository is read through here or through git.
 */
export async function readRegular(path: string, mostBytes: number): Promise<Buffer | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, asItIs);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(stats.size);
    const { bytesRead } = await file.read(bytes, 0, stats.size, 0);
    return bytes.subarray(0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
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
