import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

/**
 * Creates an empty file that only its owner can read, unless it exists. An existing one is not even opened: closing a
 * file drops every lock this process holds on it, SQLite's own included.
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Opens a file to be read; undefined where it is none. A pipe in its place would be waited for without end. */
export function openPlain(file: string): number | undefined {
  const handle = openNow(file);
  if (handle === undefined || fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  return undefined;
}

function openNow(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // A socket cannot be opened at all.
    if ((error as NodeJS.ErrnoException).code === "ENXIO") return undefined;
    throw error;
  }
}

/** Copies a file to a new one that only its owner can read; false where there is none to be copied, but a pipe or a device. */
export function copyPlain(from: string, to: string): boolean {
  const source = openPlain(from);
  if (source === undefined) return false;
  const copy = openSync(to, "wx", 0o600);
  try {
    const chunk = Buffer.alloc(1024 * 1024);
    for (let length = readSync(source, chunk); length > 0; length = readSync(source, chunk)) {
      for (let at = 0; at < length; ) at += writeSync(copy, chunk, at, length - at);
    }
    return true;
  } finally {
    closeSync(copy);
    closeSync(source);
  }
}

/** Makes a file's content, or a folder's list of names, survive a power failure. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
