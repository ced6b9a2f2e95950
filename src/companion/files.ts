import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const largestFile = 16 * 1024 * 1024;

/** A plain file's bytes through any link; undefined where there is none. Something else in its place is an error. */
export function readBytes(path: string): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new Error("it is not a plain file");
  if (stats.size > largestFile) throw new Error("it is too large for a configuration file");
  // It may have become a pipe since.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** In one step, so that no reader sees half a file. A link stays a link, and the file keeps its mode. */
export function writeBytes(path: string, bytes: Buffer | string, mode?: number): void {
  const target = realOf(path);
  const kept = mode ?? statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644;
  // Of this process there may be two writers: the watcher and a command it runs.
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`);
  try {
    writeFileSync(draft, bytes, { mode: kept & 0o777, flag: "wx" });
    chmodSync(draft, kept & 0o777);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Makes a folder and answers which ones had to be made, the outermost first. */
export function makeFolders(dir: string, mode?: number): string[] {
  const missing: string[] = [];
  for (let at = dir; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.unshift(at);
  mkdirSync(dir, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  return missing;
}

export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readBytes(path)?.toString("utf8") ?? "null");
  } catch {
    return null;
  }
}

/** For nobody else's eyes. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeBytes(path, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
