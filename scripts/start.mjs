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
  // A terminal sends Ctrl-C to the server as well; a second one from us could look like impatience.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGTERM"));
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("exit", (code, signal) => resolve(code ?? exitCodeOfSignal(signal)));
  });
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
