import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { root as repository } from "../../scripts/steps/root.mjs";
import { closeDoor } from "./loopback.mjs";
import { readTap } from "./wire.mjs";

const program = join(process.env.CREWDECK_TEST_PACKAGE ?? repository, "bin", "crewdeck.js");

/** The catalogue that the program under test is shipped with. */
export const published = JSON.parse(readFileSync(join(program, "../../contracts/mcp.json"), "utf8"));

/** Long enough for a client that works on a busy machine; one that hangs is ended. */
const limitMs = 180_000;

/**
 * Somewhere to run a client that we did not write: a HOME and a Crewdeck of its own, no account, no way out of this
 * machine. Whatever was started in it ends with it.
 */
export async function openPlace() {
  const root = mkdtempSync(join(tmpdir(), "crewdeck-client-"));
  const [home, work, tapFile] = ["crewdeck", "work", "tap.jsonl"].map((name) => join(root, name));
  mkdirSync(work);
  const door = await closeDoor();
  const children = new Set();
  const env = { HOME: root, PATH: process.env.PATH, ...door.env };

  /** Starts a program in a process group of its own, so that it can be ended with all it started. */
  function start([command, ...first], args, more = {}) {
    const child = spawn(command, [...first, ...args], {
      cwd: work,
      env: { ...env, ...more },
      detached: true,
      stdio: "pipe",
    });
    children.add(child);
    child.stdin.on("error", () => undefined);
    child.once("close", () => children.delete(child));
    return child;
  }

  const own = (...args) => [process.execPath, program, ...args, "--home", home];
  const runOwn = async (args, more = {}) => {
    const { code, stdout, stderr } = await finish(start(own(...args), [], { MCP_SERVER_PORT: "0", ...more }));
    if (code !== 0) throw new Error(`crewdeck ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  const crewdeck = (...args) => runOwn(args);

  return {
    root,
    home,
    work,
    asked: door.asked,
    start,
    run: (command, args, more) => finish(start(command, args, more)),
    /** What a client is told to start: our bridge, behind a tap. */
    bridge: {
      command: process.execPath,
      args: [fileURLToPath(new URL("tap.mjs", import.meta.url)), tapFile, ...own("mcp")],
      env: { MCP_SERVER_PORT: "0" },
    },
    /** A command of ours, in the folder that clients work in; answers what it printed. */
    crewdeck,
    frames: () => readTap(tapFile),
    /** Starts the server before a client does; answers its address and token. */
    async serve(more) {
      await runOwn(["serve", "--background"], more);
      return serverOf(home);
    },
    /** What the server reads when it starts. */
    configure(settings) {
      mkdirSync(home);
      writeFileSync(join(home, "config.json"), JSON.stringify(settings));
    },
    /** Reads again until it fits; says what `explain` does where that takes too long. */
    async until(read, fits, explain) {
      for (const deadline = Date.now() + limitMs; Date.now() < deadline; await pause(500)) {
        const value = await read();
        if (fits(value)) return value;
      }
      throw new Error(`not within ${limitMs / 1000} s: ${await explain()}`);
    },
    /** Reads from the server that the client's calls went to. It must be running: nothing is started for it. */
    async read(path) {
      const { url, token } = serverOf(home);
      const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      const { ok, result, error } = await response.json();
      if (!ok) throw new Error(`${path}: ${error.message}`);
      return result;
    },
    async close() {
      for (const child of children) endGroup(child);
      if (existsSync(join(home, "server.json"))) await endLaunched(crewdeck);
      door.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 });
    },
  };
}

/** Programs that we launched outlive the server: they are ended first. */
async function endLaunched(crewdeck) {
  const listRunning = async () =>
    JSON.parse(await crewdeck("agent", "list", "--json")).instances.filter(
      ({ program_state }) => program_state === "running" || program_state === "starting",
    );
  for (const { id } of await listRunning()) await crewdeck("agent", "stop", id).catch(() => undefined);
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && (await listRunning()).length > 0; )
    await pause(500);
  await crewdeck("stop");
}

function serverOf(home) {
  const read = (name) => JSON.parse(readFileSync(join(home, name), "utf8"));
  return { url: read("server.json").url, token: read("credentials.json").default };
}

async function finish(child) {
  const output = { stdout: "", stderr: "" };
  for (const name of Object.keys(output)) {
    child[name].setEncoding("utf8").on("data", (text) => {
      output[name] += text;
    });
  }
  child.stdin.end();
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...output }));
  });
  const timer = new AbortController();
  const late = pause(limitMs, undefined, { signal: timer.signal }).then(
    () => {
      endGroup(child);
      throw new Error(`it did not end within ${limitMs / 1000} s: ${output.stdout}${output.stderr}`);
    },
    () => ended,
  );
  return Promise.race([ended, late]).finally(() => timer.abort());
}

function endGroup({ pid }) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
