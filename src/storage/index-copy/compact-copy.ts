import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { Refusal } from "../../contract/refusal.ts";

/**
 * Writes a copy anew without the room that replaced chunks left, and verifies it. It takes seconds for a large one, so a
 * process of its own does it and everyone else goes on. The program is fixed; what is asked arrives on its input.
 */
const program = `
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const ask = JSON.parse(Buffer.concat(chunks).toString());
  const { DatabaseSync } = require(ask.driver);
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
});
`;

/** Gives back the room that replaced chunks left. The old file stays as a backup until the new one is verified (SQ4). */
export async function compactCopy(path: string, keepsBackup: boolean): Promise<{ before: number; after: number }> {
  const before = (await stat(path)).size;
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    await runApart({ path, draft });
    const backup = `${path}.bak`;
    await copyFile(path, backup);
    await rename(draft, path);
    if (!keepsBackup) await rm(backup, { force: true });
    return { before, after: (await stat(path)).size };
  } finally {
    await rm(draft, { force: true });
  }
}

const longestMs = 10 * 60_000;

function runApart(ask: { readonly path: string; readonly draft: string }): Promise<void> {
  const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  return new Promise((resolve, reject) => {
    const options = { env: {}, timeout: longestMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024 } as const;
    const child = execFile(process.execPath, ["-e", program], options, (error) =>
      error
        ? reject(new Refusal("INTERNAL", "The copy could not be compacted; the old one is still there."))
        : resolve(),
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify({ ...ask, driver }));
  });
}
