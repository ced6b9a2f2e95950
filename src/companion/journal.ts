import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Companion } from "./places.ts";

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
 * Takes the journal away from other readers and answers its lines with what ends the taking: `done` deletes them,
 * `putBack` leaves them for the next one.
 */
export function takeJournal({
  journalFile,
}: Companion): { edits: UncheckedEdit[]; done(): void; putBack(): void } | undefined {
  const taken = `${journalFile}.${process.pid}`;
  try {
    renameSync(journalFile, taken);
  } catch {
    return undefined;
  }
  const text = readFileSync(taken, "utf8");
  return {
    edits: text.split("\n").flatMap(readLine),
    done: () => rmSync(taken, { force: true }),
    putBack: () => {
      appendFileSync(journalFile, text, { mode: 0o600 });
      rmSync(taken, { force: true });
    },
  };
}

function readLine(line: string): UncheckedEdit[] {
  try {
    const edit = JSON.parse(line) as UncheckedEdit;
    return Array.isArray(edit.files) && typeof edit.repository === "string" ? [edit] : [];
  } catch {
    return [];
  }
}
