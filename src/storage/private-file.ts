import { closeSync, constants, fstatSync, fsyncSync, openSync } from "node:fs";

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
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  return undefined;
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
