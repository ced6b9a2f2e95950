import { randomBytes } from "node:crypto";
import { copyFile, rename, rm, stat } from "node:fs/promises";
import { runApart, syncFile } from "./run-apart.ts";

/** Writes a copy anew without the room that replaced chunks left, and verifies it. */
const program = `
function run(DatabaseSync, ask) {
  const old = new DatabaseSync(ask.path, { readOnly: true });
  old.prepare("vacuum into ?").run(ask.draft);
  old.close();
  const made = new DatabaseSync(ask.draft);
  for (const table of ["chunk_fts", "chunk_stems"]) made.exec("insert into " + table + "(" + table + ") values ('optimize')");
  made.exec("vacuum");
  made.exec("insert into chunk_fts(chunk_fts) values ('integrity-check')");
  const said = made.prepare("pragma integrity_check").get().integrity_check;
  made.close();
  if (said !== "ok") process.exitCode = 1;
}
`;

interface CompactAsk {
  readonly keepsBackup: boolean;
  readonly signal: AbortSignal;
}

/** Gives back the room that replaced chunks left. The old file stays as a backup until the new one is verified (SQ4). */
export async function compactCopy(
  path: string,
  { keepsBackup, signal }: CompactAsk,
): Promise<{ before: number; after: number }> {
  const before = (await stat(path)).size;
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  const failure = "The copy could not be compacted; the old one is still there.";
  try {
    await runApart({ program, ask: { path, draft }, failure, signal });
    const backup = `${path}.bak`;
    await syncFile(draft);
    await copyFile(path, backup);
    await rename(draft, path);
    if (!keepsBackup) await rm(backup, { force: true });
    return { before, after: (await stat(path)).size };
  } finally {
    await rm(draft, { force: true });
  }
}
