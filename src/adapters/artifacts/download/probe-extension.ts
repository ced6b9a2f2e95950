import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import type { ExtensionTrial, TrialAsk } from "../../../domain/artifact/port.ts";

/**
 * Loads an extension in a process of its own, which it may well take down, and has it keep and find one vector. The
 * program is fixed; what is asked arrives as JSON on its input.
 */
const program = `
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const ask = JSON.parse(Buffer.concat(chunks).toString());
  const told = { load: { attempted: true, ok: false, reason: null }, smoke: null };
  try {
    const { DatabaseSync } = require(ask.driver);
    const db = new DatabaseSync(":memory:", { allowExtension: true });
    db.enableLoadExtension?.(true);
    db.loadExtension(ask.path);
    told.load.ok = true;
    told.smoke = { ok: false, reason: null };
    const q = (name) => '"' + name + '"';
    db.exec("create virtual table " + q(ask.table) + " using " + ask.module + "(" + ask.column + " float[3]" + ask.options + ")");
    const vector = ask.encoding === "json" ? "[1, 2, 3]" : Buffer.from(new Float32Array([1, 2, 3]).buffer);
    db.prepare("insert into " + q(ask.table) + "(rowid, " + ask.column + ") values (1, ?)").run(vector);
    const row = db.prepare("select rowid as id from " + q(ask.table) + " where " + ask.column + " match ? and k = 1").get(vector);
    told.smoke.ok = Number(row?.id) === 1;
    if (!told.smoke.ok) told.smoke.reason = "The vector was not found again.";
  } catch (error) {
    (told.smoke ?? told.load).reason = String(error?.message ?? error).slice(0, 500);
  }
  process.stdout.write(JSON.stringify(told));
});
`;

const answersWithinMs = 20_000;

export function tryExtension(ask: TrialAsk, signal: AbortSignal): Promise<ExtensionTrial> {
  const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["-e", program],
      { env: {}, timeout: answersWithinMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024, signal },
      (error, stdout) => resolve(readTold(stdout) ?? crashed(error?.signal ?? null)),
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify({ ...ask, driver, options: ask.options === "" ? "" : `, ${ask.options}` }));
  });
}

function readTold(text: string): ExtensionTrial | undefined {
  try {
    return JSON.parse(text) as ExtensionTrial;
  } catch {
    return undefined;
  }
}

const crashed = (by: string | null): ExtensionTrial => ({
  load: { attempted: true, ok: false, reason: by === null ? "It ended the process." : `It ended the process (${by}).` },
  smoke: null,
});
