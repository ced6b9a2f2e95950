import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Folders of installed or built things: large, and never what a task is about. */
const skipped = new Set([".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", "target", ".next"]);
const mostFiles = 50_000;
const largestHashed = 32 * 1024 * 1024;

/** A checksum for every file below a folder, by its path. Links are not followed: their target is what counts. */
export async function listChecksums(folder: string, signal: AbortSignal): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  const folders = [""];
  let count = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) folders.push(path);
        continue;
      }
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      count += 1;
      if (count > mostFiles) return sums;
      const sum = await checksumOf(join(folder, path));
      if (sum !== undefined) sums[path] = sum;
    }
  }
  return sums;
}

/** A file too large to read is told apart by its size and time. */
async function checksumOf(path: string): Promise<string | undefined> {
  try {
    const info = await lstat(path);
    if (info.isSymbolicLink()) return `link:${await readlink(path)}`;
    if (info.size > largestHashed) return `size:${info.size}:${info.mtimeMs}`;
    const hash = createHash("sha256").update(String(info.mode & 0o111));
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}
