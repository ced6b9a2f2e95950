import { randomBytes } from "node:crypto";
import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { backup } from "@photostructure/sqlite";
import { Refusal } from "../contract/refusal.ts";
import { syncToDisk } from "./private-file.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Copies a store while it is in use. The copy is of one moment: an open read transaction holds it, without which every
 * write would make the copying start anew and a busy store could never be copied. Whatever has the name already keeps
 * it, a link that leads nowhere and a draft of another backup included; only an empty file may be there, as `mktemp` makes.
 */
export async function backupSqlite(database: string, target: string): Promise<void> {
  const place = lookAt(target);
  const draft = `${target}.${randomBytes(6).toString("hex")}.partial`;
  createNew(draft);
  const source = new SqliteConnection(database, { readOnly: true });
  try {
    source.exec("begin");
    await source.sql('select 1 from "meta" limit 1');
    await backup(source.raw, draft, { rate: pagesAtOnce });
    syncToDisk(draft);
    if (place === "empty" && lookAt(target) === "empty") renameSync(draft, target);
    else giveName(draft, target);
  } finally {
    source.abandon();
    source.close();
    rmSync(draft, { force: true });
  }
  syncToDisk(dirname(resolve(target)));
}

const pagesAtOnce = 1_000;

function lookAt(target: string): "free" | "empty" {
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there && !(there.isFile() && there.size === 0)) throw isTaken();
  return there ? "empty" : "free";
}

const createNew = (file: string): void => closeSync(openSync(file, "wx", 0o600));

/** A second name fails where the first is taken, in one step. Some disks know none: there an empty file holds the place. */
function giveName(draft: string, target: string): void {
  try {
    linkSync(draft, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw isTaken();
    reserve(target);
    renameSync(draft, target);
  }
}

function reserve(target: string): void {
  try {
    createNew(target);
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? isTaken() : error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isTaken = (): Refusal =>
  new Refusal("CONFLICT", "The backup's file exists already.", "Choose a new name; nothing is overwritten.");
