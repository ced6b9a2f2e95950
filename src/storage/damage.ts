import { closeSync, lstatSync, readSync, rmSync, writeFileSync } from "node:fs";
import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";
import { deleteMeta, readMeta, saveMeta } from "./meta.ts";
import { openPlain } from "./private-file.ts";

/**
 * A store that was found damaged takes no changes until a person has restored a backup or accepted the damage. That it
 * was found is noted outside the file, which may not keep another word; what was found first stays.
 */

export const damageNoteOf = (file: string): string => `${file}.damaged`;

/** What was found first; null where nothing was, or it has been decided. Whatever lies in the note's place is one. */
export function readDamageNote(file: string): string | null {
  const note = damageNoteOf(file);
  if (lstatSync(note, { throwIfNoEntry: false }) === undefined) return null;
  const start = Buffer.alloc(4_096);
  const handle = openIfThere(note);
  if (handle === undefined) return whatever;
  try {
    return start.toString("utf8", 0, readSync(handle, start)).trim() || whatever;
  } finally {
    closeSync(handle);
  }
}

const whatever = "damage was found";

function openIfThere(note: string): number | undefined {
  try {
    return openPlain(note);
  } catch {
    return undefined;
  }
}

export function noteDamage(file: string, problem: string): void {
  try {
    writeFileSync(damageNoteOf(file), `${problem}\n`, { flag: "wx", mode: 0o600 });
  } catch {
    // Noted before, or the disk takes nothing more: this process knows anyway.
  }
}

export const forgetDamage = (file: string): void => rmSync(damageNoteOf(file), { force: true, recursive: true });

/** PostgreSQL: all nodes share the note; each reads it when it starts, and looks for it all the time. */
const damageKey = "damage";

export async function findSharedDamage(db: Db): Promise<string | null> {
  return (await readMeta(db, damageKey)) ?? null;
}

export async function noteSharedDamage(db: Db, problem: string): Promise<void> {
  if ((await findSharedDamage(db)) === null) await saveMeta(db, damageKey, problem);
}

export const forgetSharedDamage = (db: Db): Promise<void> => deleteMeta(db, damageKey);

export const refuseDamaged = (problem: string): Refusal =>
  new Refusal("STORE_DAMAGED", "The store is damaged and read-only.", undefined, { problem });

/** Why a damaged store is read-only, in the words of a status. */
export const reasonOf = (problem: string): string => `damaged: ${problem}`;
