import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const roomNeeded = 4 * 1024 ** 3;

/**
 * Puts what tests write into memory where there is room: a store waits for its disk at every commit, and a database of
 * PostgreSQL is 300 files. Whoever has chosen a folder keeps it. Its name is short because sockets lie in it. Returns a
 * function that removes all of it, also what a killed program has left.
 */
export function useScratchFolder(): () => void {
  if (process.env["TMPDIR"] !== undefined) return () => undefined;
  const dir = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), "crewdeck-"));
  chmodSync(dir, 0o1777); // As the system's own: PostgreSQL runs under another account.
  process.env["TMPDIR"] = dir;
  return () => {
    delete process.env["TMPDIR"];
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  };
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > roomNeeded;
}
