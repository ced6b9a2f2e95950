import { spawn } from "node:child_process";

/** Tells the person what is going on; stdout stays free for results. */
export const say = (line) => process.stderr.write(`${line}\n`);

/**
 * Runs a program with an argument list, never through a shell. Its output goes where ours goes, or into `output`
 * when it is captured; after `timeoutMs`, if given, it is ended. Resolves with the exit code; a program that could not be started counts as 127.
 */
export function run(command, args, { cwd, env, isCaptured = false, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const stdio = isCaptured ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"];
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, timeout: timeoutMs });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => resolve({ code: 127, output: `${command}: ${error.message}\n` }));
    child.on("close", (code, signal) => resolve({ code: code ?? exitCodeOfSignal(signal), output }));
  });
}

/** What a shell would say of a process that a signal ended. */
export const exitCodeOfSignal = (signal) => ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })[signal] ?? 1;
