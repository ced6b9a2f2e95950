import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Refusal } from "../contract/refusal.ts";

/** A store's file as it was found. The system lets us write to it after it was deleted; nobody would ever read that. */
export class OpenedFile {
  readonly #path: string;
  readonly #found: string;

  constructor(path: string) {
    this.#path = path;
    this.#found = identityOf(path) ?? "";
  }

  /** Whether its path still leads to it, and its log lies beside it. */
  isInPlace(): boolean {
    return identityOf(this.#path) === this.#found && existsSync(`${this.#path}-wal`);
  }
}

/**
 * Two servers that reach one file under two names do not see each other's locks. What a restore that was killed has
 * left is not meant: it gave the file a second name to keep it by and had not put the backup in its place yet.
 */
export function refuseSecondName(path: string): void {
  undoHalfRestore(path);
  if (statSync(path).nlink <= 1) return;
  throw new Refusal(
    "INVALID_INPUT",
    "The store's file has a second name (a hard link), under which another server could use it.",
    "Remove the other name, or copy the file: cp FILE COPY && mv COPY FILE",
    { file: path },
  );
}

function undoHalfRestore(path: string): void {
  const own = identityOf(path);
  const isAside = (name: string): boolean => name.startsWith(`${basename(path)}.before-restore-`) && name.endsWith("Z");
  for (const name of readdirSync(dirname(path)).filter(isAside)) {
    const aside = join(dirname(path), name);
    if (identityOf(aside) !== own) continue;
    for (const suffix of ["-wal", "-shm"]) {
      if (existsSync(aside + suffix) && !existsSync(path + suffix)) renameSync(aside + suffix, path + suffix);
    }
    rmSync(aside);
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
