#!/usr/bin/env node
/**
 * Starts an agent's program and stays beside it until it ends. In a terminal it leaves that to the program; without one
 * it keeps the last of what the program says in a file. The server may be gone by then, so how it ended is left in a file.
 */
const { spawn, spawnSync } = require("node:child_process");
const { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");

const largestLog = 4 * 1024 * 1024;

const folder = process.argv[2] ?? "";
const launch = JSON.parse(readFileSync(join(folder, "launch.json"), "utf8"));
// It holds the instance's token.
rmSync(join(folder, "launch.json"));

const { turn, command, cwd, env, hasTerminal, stdinFile } = launch;
note("process.json", { turn, pid: process.pid, startTicks: startTicks(), startedAt: Date.now() });

// The program is in the same group and hears of these by itself; its end is ours.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => undefined);
// Of a terminal that is closed only we are told. Some programs go on without one, unseen: they are ended.
process.on("SIGHUP", () => {
  child.kill("SIGHUP");
  setTimeout(() => process.kill(0, "SIGTERM"), 2_000);
  setTimeout(() => child.kill("SIGKILL"), 7_000);
});

const stdin = stdinFile === null ? (hasTerminal ? "inherit" : "ignore") : openSync(stdinFile, "r");
const [program, ...args] = command;
const child = spawn(program, args, {
  cwd,
  env,
  stdio: [stdin, hasTerminal ? "inherit" : "pipe", hasTerminal ? "inherit" : "pipe"],
});
if (typeof stdin === "number") closeSync(stdin);
const log = hasTerminal ? undefined : openLog(join(folder, "output.log"));
child.stdout?.on("data", (chunk) => log.write(chunk));
child.stderr?.on("data", (chunk) => log.write(chunk));
child.once("error", (error) => end(error.code === "ENOENT" ? 127 : 126, null, error.code));
child.once("close", (code, signal) => end(code, signal, null));

function end(code, signal, problem) {
  note("exit.json", { turn, code, signal, problem, at: Date.now() });
  process.exit(code ?? 1);
}

/** In one step: whoever reads it reads all of it. */
function note(name, value) {
  const file = join(folder, name);
  writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** By which a process is told from a later one of the same number; null where the system does not say. */
function startTicks() {
  try {
    const text = readFileSync("/proc/self/stat", "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return startByPs();
  }
}

/** The same where there is no /proc; src/adapters/launcher/process.ts asks in the same words. */
function startByPs() {
  const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(process.pid)], { encoding: "utf8", env });
  return (stdout ?? "").trim() || null;
}

/** The newest of it, in two files at most. */
function openLog(file) {
  let handle = openSync(file, "a", 0o600);
  let size = 0;
  return {
    write(chunk) {
      size += writeSync(handle, chunk);
      if (size < largestLog) return;
      closeSync(handle);
      renameSync(file, `${file}.1`);
      handle = openSync(file, "a", 0o600);
      size = 0;
    },
  };
}
