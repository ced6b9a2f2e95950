/** Stands between a client and a stdio server and writes every line down: `node tap.mjs FILE COMMAND ARGS…` */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });

pass(process.stdin, child.stdin, "client").on("close", () => child.stdin.end());
pass(child.stdout, process.stdout, "server");
child.on("close", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));

function pass(from, to, speaker) {
  to.on("error", () => undefined);
  return createInterface({ input: from }).on("line", (line) => {
    appendFileSync(file, `${JSON.stringify({ speaker, line })}\n`);
    to.write(`${line}\n`);
  });
}
