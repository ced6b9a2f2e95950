import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../../scripts/steps/root.mjs";

/** A module of the build. */
export const fromBuild = (...path) => import(join(root, "dist", ...path));

/**
 * The index of the build, without a house around it. `once` has git look at a work tree for the first search alone: what a search
 * itself takes would be lost in what starting a program takes.
 */
export async function openIndex(homeDir, { once = false } = {}) {
  const { openCodeindex } = await fromBuild("codeindex", "open-codeindex.js");
  const { openGit } = await fromBuild("adapters", "git", "open.js");
  const { installedGit } = await fromBuild("adapters", "git", "run.js");
  const said = new Map();
  const remember = (git) => ({
    find: (place) => git.find(place),
    listWorktrees: (folders) => git.listWorktrees(folders),
    run(folders, command) {
      const key = JSON.stringify(command.args);
      if (!said.has(key)) said.set(key, git.run(folders, command));
      return said.get(key);
    },
  });
  const open = (signal) => openGit(installedGit, signal);
  return openCodeindex({ homeDir, openGit: once ? (signal) => remember(open(signal)) : open, now: Date.now });
}

export const watch = { signal: new AbortController().signal };

export const searchAsk = (repository, query, more = {}) => ({
  repository: { root: repository, main: repository },
  query,
  modes: ["code", "prose"],
  isNothing: false,
  filters: {},
  top: 50,
  contextLines: 0,
  isFull: false,
  isEverywhere: false,
  now: Date.now(),
  ...more,
});

/** Work trees to measure on: `CREWDECK_BENCH_REPOS`, separated by commas; else this repository. */
export const repositories = () =>
  (process.env.CREWDECK_BENCH_REPOS ?? root)
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");

/** Processor time of this process with all its threads, in milliseconds, and what the work answered. */
export async function cpuOf(work) {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { value, cpuMs: (user + system) / 1e3, wallMs: performance.now() - startedAt };
}

/** Processor time of a program in milliseconds; undefined where it isn't installed. */
export function cpuOfProgram(program, args, env = {}) {
  try {
    const script = '"$@" >/dev/null 2>&1; times';
    const told = execFileSync(
      "bash",
      ["-c", `command -v "$1" >/dev/null || exit 9; ${script}`, "_", program, ...args],
      {
        env: { ...process.env, ...env },
        encoding: "utf8",
      },
    );
    const [user, system] = told.trim().split("\n").at(-1).split(/\s+/).map(secondsOf);
    return (user + system) * 1e3;
  } catch {
    return undefined;
  }
}

const secondsOf = (text) => {
  const [minutes, seconds] = text.replace("s", "").split("m");
  return Number(minutes) * 60 + Number(seconds);
};

export const percentile = (values, share) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))];
