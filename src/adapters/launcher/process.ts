import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { ProcessReport } from "../../domain/instance/port.ts";
import { readOwnFile } from "../regular-file.ts";
import { type Places, readJson } from "./places.ts";

/** What the runner leaves about itself. */
interface Started {
  readonly turn: number;
  readonly pid: number;
  /** By which it is told from a later process of the same number: ticks of /proc, else what ps says; null where nothing does. */
  readonly startTicks: string | null;
  readonly startedAt: number;
}

interface Ended {
  readonly turn: number;
  readonly code: number | null;
  readonly signal: string | null;
  readonly problem: string | null;
  readonly at: number;
}

export const readStarted = (places: Places, turn: number): Started | undefined => {
  const started = readJson<Started>(places.processFile);
  return started?.turn === turn ? started : undefined;
};

export const readEnded = (places: Places, turn: number): Ended | undefined => {
  const ended = readJson<Ended>(places.exitFile);
  return ended?.turn === turn ? ended : undefined;
};

/** What has become of the newest program of an instance; undefined where none was ever started. */
export function reportOf(places: Places, now: number): ProcessReport | undefined {
  const started = readJson<Started>(places.processFile);
  if (!started) return undefined;
  const ended = readEnded(places, started.turn);
  if (ended) return { state: "ended", exitCode: ended.code, at: ended.at };
  return isAlive(started) ? { state: "running" } : { state: "ended", exitCode: null, at: now };
}

/** Whether it is this very process; its number may have been given to another since. */
function isAlive({ pid, startTicks }: Started): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (startTicks === null) return true;
  if (!/^\d+$/.test(startTicks)) return readStart(pid) === startTicks;
  const text = readOwnFile(`/proc/${pid}/stat`) ?? "";
  const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return state !== "Z" && fields[18] === startTicks;
}

const starts = new Map<number, { readonly at: number; readonly start: string }>();
const sameForMs = 3_000;

/** When a process began, where there is no /proc to say so: bin/agent-runner.js asks in the same words. */
function readStart(pid: number): string {
  const now = Date.now();
  const known = starts.get(pid);
  if (known && now - known.at < sameForMs) return known.start;
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    timeout: 5_000,
  });
  const start = (stdout ?? "").trim();
  if (starts.size > 1_000) starts.clear();
  starts.set(pid, { at: now, start });
  return start;
}

const lookEveryMs = 50;
/** Programs put away what they have in hand when they are asked to end. */
const politeMs = 5_000;

/** Lets it end by itself for a while, then asks it and all it has started to, then ends them. Answers its exit code. */
export async function endProcess(places: Places, graceMs: number, signal: AbortSignal): Promise<number | null> {
  const started = readJson<Started>(places.processFile);
  if (!started) return null;
  await untilGone(started, graceMs, signal);
  for (const [name, waitMs] of [
    ["SIGTERM", politeMs],
    ["SIGKILL", 2_000],
  ] as const) {
    if (!isAlive(started)) break;
    signalGroup(started.pid, name);
    await untilGone(started, waitMs, signal);
  }
  // What the program had put into the background dies with it.
  signalGroup(started.pid, "SIGKILL");
  return readEnded(places, started.turn)?.code ?? null;
}

async function untilGone(started: Started, mostMs: number, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + mostMs;
  while (isAlive(started) && Date.now() < deadline) await pause(lookEveryMs, undefined, { signal });
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // Nobody of it is left.
  }
}
