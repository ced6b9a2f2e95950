import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Companion } from "./places.ts";
import { isAlive } from "./processes.ts";

/** An edit that nobody could be asked about, so that it passed. */
export interface UncheckedEdit {
  readonly at: string;
  readonly client: string;
  readonly session: string;
  readonly repository: string;
  readonly files: readonly string[];
  readonly reason: string;
}

const largestJournal = 1024 * 1024;

/** One line, in one write: hooks of several clients write at once. A journal that nobody reads stops growing. */
export function noteUnchecked({ journalFile }: Companion, edit: UncheckedEdit): void {
  const size = statSync(journalFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestJournal) return;
  mkdirSync(dirname(journalFile), { recursive: true, mode: 0o700 });
  appendFileSync(journalFile, `${JSON.stringify(edit)}\n`, { mode: 0o600 });
}

/**
 * Takes the journal away from other readers, with what readers that were killed had taken, and answers its lines with
 * what ends the taking: `done` deletes them, but for those that have to wait.
 */
export function takeJournal({
  journalFile,
}: Companion): { edits: UncheckedEdit[]; done(waiting: readonly UncheckedEdit[]): void } | undefined {
  const taken = [journalFile, ...takenBefore(journalFile)].flatMap((file) => {
    const own = `${journalFile}.${process.pid}.${randomBytes(4).toString("hex")}`;
    try {
      renameSync(file, own);
      return [own];
    } catch {
      return [];
    }
  });
  if (taken.length === 0) return undefined;
  const text = taken.map((file) => readFileSync(file, "utf8")).join("");
  return {
    edits: text.split("\n").flatMap(readLine),
    done(waiting) {
      const lines = waiting.map((edit) => `${JSON.stringify(edit)}\n`);
      if (lines.length > 0) appendFileSync(journalFile, lines.join(""), { mode: 0o600 });
      for (const file of taken) rmSync(file, { force: true });
    },
  };
}

/** Edits that nobody has been told of yet. */
export const countUnchecked = ({ journalFile }: Companion): number =>
  [journalFile, ...takenBefore(journalFile)]
    .filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined)
    .reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1, 0);

/** By processes that have ended since, or by this one in an earlier try. */
function takenBefore(journalFile: string): string[] {
  const start = `${basename(journalFile)}.`;
  try {
    return readdirSync(dirname(journalFile))
      .filter((name) => name.startsWith(start))
      .filter((name) => {
        const pid = Number.parseInt(name.slice(start.length), 10);
        return !(pid > 0) || pid === process.pid || !isAlive(pid);
      })
      .map((name) => join(dirname(journalFile), name));
  } catch {
    return [];
  }
}

function readLine(line: string): UncheckedEdit[] {
  try {
    const edit = JSON.parse(line) as UncheckedEdit;
    return Array.isArray(edit.files) && typeof edit.repository === "string" ? [edit] : [];
  } catch {
    return [];
  }
}
