/** `npm start`: from a fresh clone to a running server, with nothing but Node and npm. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";
import { exitCodeOfSignal } from "./steps/run.mjs";

/** The exit code of a server that found the store in another's hands. */
const storeHeld = 4;

const args = process.argv.slice(2);

if ((await ensurePackages(root)) && (await ensureOutput(root))) {
  const code = await serve();
  const address = code === storeHeld ? await findRunningServer() : undefined;
  if (address !== undefined) process.stdout.write(`Crewdeck is already running: ${address}\n`);
  process.exitCode = address === undefined ? code : 0;
} else {
  process.exitCode = 1;
}

/** Runs the server in the foreground and answers the code it ended with. */
function serve() {
  const child = spawn(process.execPath, [join(root, "bin", "crewdeck.js"), "serve", "--open", ...args], {
    stdio: "inherit",
  });
  handOn(child);
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("exit", (code, signal) => resolve(code ?? exitCodeOfSignal(signal)));
  });
}

/**
 * Hands a request to end on to the server, once. A terminal tells the whole group, and npm tells us again: the server
 * takes the same signal twice for impatience and leaves its work undone, so it gets another one than we did.
 */
function handOn(child) {
  const end = once((signal) => child.kill(signal));
  process.on("SIGINT", () => end("SIGTERM"));
  process.on("SIGHUP", () => end("SIGTERM"));
  process.on("SIGTERM", () => end("SIGINT"));
  if (process.env.npm_lifecycle_event === "start") whenOrphaned(() => end("SIGTERM"));
}

/** A signal to npm alone ends the shell between npm and us, and we hear nothing of it. */
function whenOrphaned(act) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && act(), 250).unref();
}

function once(act) {
  let isDone = false;
  return (...args) => {
    if (!isDone) act(...args);
    isDone = true;
  };
}

/** The holder of the store may be starting itself, so its note is waited for a little while. */
async function findRunningServer() {
  const { homeAt, readServerInfo } = await import("../dist/adapters/home.js");
  const home = homeAt(readHomeOption());
  for (let tries = 0; tries < 50; tries += 1) {
    const server = readServerInfo(home);
    if (server && isRunning(server.pid)) return server.url;
    await pause(100);
  }
  return undefined;
}

function readHomeOption() {
  const place = args.findIndex((arg) => arg === "--home" || arg.startsWith("--home="));
  if (place === -1) return undefined;
  return args[place] === "--home" ? args[place + 1] : args[place].slice("--home=".length);
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
