import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { Refusal } from "../contract/refusal.ts";
import type { Db } from "./db.ts";
import { deleteMeta, readMeta, saveMeta } from "./meta.ts";

/**
 * A store that was found damaged takes no changes until a person has restored a backup or accepted the damage. That it
 * was found is noted outside the file, which may not keep another word; what was found first stays.
 */

export const damageNoteOf = (file: string): string => `${file}.damaged`;

/** What was found first; null where nothing was, or it has been decided. */
export function readDamageNote(file: string): string | null {
  try {
    return readFileSync(damageNoteOf(file), "utf8").trim() || "damage was found";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function noteDamage(file: string, problem: string): void {
  try {
    writeFileSync(damageNoteOf(file), `${problem}\n`, { flag: "wx", mode: 0o600 });
  } catch {
    // Noted before, or the disk takes nothing more: this process knows anyway.
  }
}

export const forgetDamage = (file: string): void => rmSync(damageNoteOf(file), { force: true });

/** PostgreSQL: all nodes share the note; each reads it when it starts. */
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
