import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { exitCodes } from "../contract/errors.ts";
import { Refusal } from "../contract/refusal.ts";
import { type Home, makeHome, readServerInfo, type ServerInfo } from "./home.ts";
import { programFile } from "./program-line.ts";
import { isItself } from "./server-proof.ts";
import { endStartTurn, isAlive, noteStarted, takeStartTurn } from "./start-turn.ts";

/** How long a starter waits for a server before it gives up. */
const startLimitMs = 20_000;

/**
 * The running server of a home. A note left behind by a dead one is not believed: the process must be ours, and whoever
 * answers must prove that it wrote the note, else a token could be sent to whoever has taken the port since.
 */
export async function findServer(home: Home): Promise<ServerInfo | undefined> {
  const info = readServerInfo(home);
  return info && isAlive(info.pid) && (await isItself(info)) ? info : undefined;
}

/**
 * The running server of a home, started in the background if there is none. Several starters may come here at once:
 * one has its turn, and where two think so the store's lock lets one server live; everybody finds it.
 */
export async function ensureServer(home: Home, launch: Launch = {}): Promise<ServerInfo> {
  const deadline = Date.now() + startLimitMs;
  let starter: Starter | undefined;
  try {
    for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.5, 100)) {
      const found = await findServer(home);
      if (found) return found;
      if (Date.now() >= deadline) throw unreachable(home, "The Crewdeck server did not start in time.");
      starter = startAgainIfBeaten(starter, home, launch);
      if (starter?.hasFailed()) throw unreachable(home, "The Crewdeck server could not be started.");
      await pause(waitMs);
    }
  } finally {
    if (starter !== undefined) endStartTurn(home);
  }
}

/** How a server that has to be started is started. */
interface Launch {
  readonly env?: NodeJS.ProcessEnv;
  /** Further options of `crewdeck serve`. */
  readonly args?: readonly string[];
}

/** Ends the running server of a home and waits until it is gone. Answers what was ended, if anything ran. */
export async function stopServer(home: Home, limitMs = 15_000): Promise<ServerInfo | undefined> {
  const server = await findServer(home);
  if (!server) return undefined;
  process.kill(server.pid, "SIGTERM");
  for (const deadline = Date.now() + limitMs; isAlive(server.pid); await pause(50)) {
    if (Date.now() < deadline) continue;
    throw new Refusal("INTERNAL", `The server (process ${server.pid}) did not end.`, `End it with: kill ${server.pid}`);
  }
  return server;
}

const serverLog = (home: Home): string => join(home.logsDir, "server.log");

interface Starter {
  /** Lost the store to another starter; it is worth trying again from this time on. */
  retryAt(): number | undefined;
  hasFailed(): boolean;
  readonly tries: number;
}

/** A beaten starter tries again, ever more patiently: the winner may have died before it was ready. */
function startAgainIfBeaten(last: Starter | undefined, home: Home, launch: Launch): Starter | undefined {
  const retryAt = last?.retryAt();
  if (last && (retryAt === undefined || Date.now() < retryAt)) return last;
  prepare(home);
  // Whoever waits for a server that another one starts leaves it the processor.
  return last || takeStartTurn(home) ? start(home, launch, (last?.tries ?? 0) + 1) : undefined;
}

function start(home: Home, launch: Launch, tries: number): Starter {
  let endedAt: number | undefined;
  let code: number | null | undefined;
  const end = (exitCode: number | null): void => {
    endedAt = Date.now();
    code = exitCode;
  };
  const child = spawnServer(home, launch);
  child.once("exit", end).once("error", () => end(exitCodes.refused));
  noteStarted(home, child.pid);
  return {
    tries,
    retryAt: () => (endedAt !== undefined && code === exitCodes.storeHeld ? endedAt + 250 * 2 ** tries : undefined),
    hasFailed: () => endedAt !== undefined && code !== exitCodes.storeHeld,
  };
}

/** A process of its own that outlives us, holds no folder of ours and writes to the home's log. */
function spawnServer(home: Home, { env = process.env, args = [] }: Launch): ChildProcess {
  const log = openLog(home);
  try {
    const child = spawn(process.execPath, [programFile, "serve", "--json", "--home", home.dir, ...args], {
      cwd: home.dir,
      detached: true,
      stdio: ["ignore", log, log],
      env: serverEnv(env),
      windowsHide: true,
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

const largestLog = 5 * 1024 * 1024;

function prepare(home: Home): void {
  try {
    makeHome(home);
    mkdirSync(home.logsDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw notUsable(error);
  }
}

function openLog(home: Home): number {
  const file = serverLog(home);
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > largestLog) renameSync(file, `${file}.1`);
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw notUsable(error);
  }
}

function notUsable(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { message } = error as Error;
  const hint = "Choose another home with --home or CREWDECK_HOME.";
  return new Refusal("SERVER_UNREACHABLE", `The home cannot be used: ${message}`, hint);
}

/** The server needs nobody's token, and a relative store path means the folder it was written for, not the home. */
function serverEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { COVIBE_MCP_TOKEN: _token, COVIBE_AGENT: _agent, COVIBE_BASE_URL: _url, ...rest } = env;
  const database = rest["MCP_DATABASE_PATH"];
  const isFile = database !== undefined && database !== "" && !database.includes("://");
  return isFile ? { ...rest, MCP_DATABASE_PATH: resolve(database) } : rest;
}

const unreachable = (home: Home, message: string): Refusal =>
  new Refusal(
    "SERVER_UNREACHABLE",
    message,
    `Look at ${serverLog(home)}, or run \`crewdeck serve\` and see what it prints.`,
  );
