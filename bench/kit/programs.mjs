import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../scripts/steps/root.mjs";

const running = new Set();
const endLimitMs = 10_000;

/** Starts a Node program that is ended with this process at the latest. */
export function startNode(args, { env, stdio = ["pipe", "pipe", "inherit"], cwd = root } = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio, cwd });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends a program and waits until it is gone. */
export async function endProgram(child, signal = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  const impatience = setTimeout(() => child.kill("SIGKILL"), endLimitMs);
  await gone;
  clearTimeout(impatience);
}

export const endPrograms = () => Promise.all([...running].map((child) => endProgram(child)));

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** The first line a program prints, read as JSON: where it can be found. */
export async function readGreeting(child) {
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a program ended with ${code} before it was ready`);
  });
  const [line] = await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => undefined);
  return JSON.parse(line);
}

export const program = join(root, "bin", "crewdeck.js");

/** The product's own server on a home, in a process of its own. */
export async function startServer(home, { nodeArgs = [] } = {}) {
  const child = startNode([...nodeArgs, program, "serve", "--home", home, "--port", "0", "--json"], {
    env: quietEnv(home),
  });
  const { url } = await readGreeting(child);
  return { child, url, end: () => endProgram(child) };
}

/** What this shell may have set must not decide what is measured. */
export const quietEnv = (home) => ({
  CREWDECK_HOME: home,
  MCP_LOG_LEVEL: "",
  MCP_DATABASE_PATH: "",
  MCP_SERVER_PORT: "",
  MCP_TOOL_TIMEOUT: "",
  COVIBE_BASE_URL: "",
  COVIBE_MCP_TOKEN: "",
  COVIBE_AGENT: "",
});
