import { rmSync } from "node:fs";
import { readJsonFile, writeJsonFile } from "../files.ts";
import type { Companion } from "../places.ts";
import { isAlive } from "../processes.ts";

interface Watcher {
  readonly pid: number;
}

/** The process that watches this machine; undefined where there is none. */
export function watcherOf({ watchFile }: Companion): Watcher | undefined {
  const { pid } = (readJsonFile(watchFile) ?? {}) as Partial<Watcher>;
  return typeof pid === "number" && isAlive(pid) ? { pid } : undefined;
}

/** False where another one watches already. */
export function beginWatch(companion: Companion): boolean {
  const other = watcherOf(companion);
  if (other !== undefined && other.pid !== process.pid) return false;
  writeJsonFile(companion.watchFile, { pid: process.pid });
  return true;
}

export function endWatch(companion: Companion): void {
  if (watcherOf(companion)?.pid === process.pid) rmSync(companion.watchFile, { force: true });
}
