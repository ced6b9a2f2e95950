import { closeSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "./home.ts";
import { readOwnFile } from "./regular-file.ts";

/**
 * When a server dies, every client of it wants the next one. Thirty servers that load at once, all but one to find the
 * store held, would take the processor from the one that all of them wait for. So a note says whose turn it is. Nothing
 * depends on it: it may be lost or taken twice, and the store's lock decides all the same.
 */
const noteOf = (home: Home): string => join(home.dir, "starting");

/** Longer than a start takes, even on a machine that is busy with much else. */
const turnMs = 10_000;

/** Whether this process is the one that starts the server. */
export function takeStartTurn(home: Home): boolean {
  if (create(noteOf(home))) return true;
  if (isHeld(noteOf(home))) return false;
  endStartTurn(home);
  return create(noteOf(home));
}

/** The turn lasts as long as what was started lives, also when whoever started it is gone. */
export function noteStarted(home: Home, pid: number | undefined): void {
  try {
    if (pid !== undefined) writeFileSync(noteOf(home), String(pid), { mode: 0o600 });
  } catch {
    // Others will think that the turn is over, and start one as well.
  }
}

export function endStartTurn(home: Home): void {
  try {
    rmSync(noteOf(home), { force: true, recursive: true });
  } catch {
    // It grows too old by itself.
  }
}

function create(note: string): boolean {
  try {
    const file = openSync(note, "wx", 0o600);
    writeFileSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch {
    return false;
  }
}

function isHeld(note: string): boolean {
  const madeAt = statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const pid = Number(readOwnFile(note));
  // Just made, it may be empty still.
  return Math.abs(Date.now() - madeAt) < turnMs && (pid === 0 || isAlive(pid));
}

/** A process of another account is not ours: its number was given away again. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
