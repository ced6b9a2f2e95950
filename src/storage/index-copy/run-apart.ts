import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { createRequire } from "node:module";
import { Refusal } from "../../contract/refusal.ts";

const longestMs = 10 * 60_000;

interface Apart {
  /** Fixed text that is called with `DatabaseSync` and what is asked; it throws where something is wrong. */
  readonly program: string;
  readonly ask: Readonly<Record<string, string>>;
  /** Said where it does not succeed. */
  readonly failure: string;
  readonly signal: AbortSignal;
}

/**
 * Works on a SQLite file in a process of its own. With a large one that takes seconds, and everyone else goes on. What is
 * asked arrives on its input, never in the program.
 */
export function runApart({ program, ask, failure, signal }: Apart): Promise<void> {
  const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  return new Promise((resolve, reject) => {
    const options = { env: {}, timeout: longestMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024, signal } as const;
    const child = execFile(process.execPath, ["-e", `${reading}\n${program}`], options, (error) => {
      if (signal.aborted) reject(signal.reason);
      else if (error) reject(new Refusal("INTERNAL", failure));
      else resolve();
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify({ ...ask, driver }));
  });
}

const reading = `
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const { driver, ...ask } = JSON.parse(Buffer.concat(chunks).toString());
  run(require(driver).DatabaseSync, ask);
});
`;

/** Before a file takes another's place: a power cut must not leave half of it under its name. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
