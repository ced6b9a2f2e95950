import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { programFile } from "../adapters/program-line.ts";
import type { VerifyFile } from "../engine/verify.ts";

/** What is fixed is in the program, what is asked arrives on its input. */
const program = `
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", async () => {
  const { loader, file } = JSON.parse(Buffer.concat(chunks).toString());
  const { verifyFile } = require(loader).load("../dist/program/main.js");
  process.stdout.write(JSON.stringify(await verifyFile(file)));
});
`;

/**
 * Checks stores in processes of their own: SQLite looks through a large one in a single step, and nobody would be
 * answered meanwhile. Who asks while one is checked hears what the others do.
 */
export function verifyApart(verifyHere: VerifyFile): VerifyFile {
  const underWay = new Map<string, ReturnType<VerifyFile>>();
  return (file) => {
    const known = underWay.get(file);
    if (known) return known;
    // What cannot even be opened is refused in words that only we have.
    const started = start(file)
      .catch(() => verifyHere(file))
      .finally(() => underWay.delete(file));
    underWay.set(file, started);
    return started;
  };
}

function start(file: string): ReturnType<VerifyFile> {
  return new Promise((resolve, reject) => {
    const options = { env: {}, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile(process.execPath, ["-e", program], options, (error, stdout) => {
      if (error) reject(error);
      else resolve(JSON.parse(stdout) as Awaited<ReturnType<VerifyFile>>);
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify({ loader: join(dirname(programFile), "load.js"), file }));
  });
}
