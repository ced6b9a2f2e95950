import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./kit/homes.mjs";
import { interleave, median } from "./kit/measure.mjs";
import { row } from "./kit/rows.mjs";

export const title = "What a task changed in a repository of 50,000 files: our own time beyond git's";

const files = 50_000;
const filesInFolder = 100;
const rounds = 7;
const never = new AbortController().signal;

export async function run() {
  const { takeSnapshot, compareSnapshot } = await import("../dist/adapters/evidence/snapshot.js");
  const folder = makeFolder();
  const home = makeFolder();
  const homeBefore = process.env.HOME;
  process.env.HOME = home;
  try {
    const repository = join(folder, "repository");
    makeRepository(repository);
    const snapshot = await takeSnapshot(repository, never);
    const rows = await measure("snapshot, nothing changed", home, () => takeSnapshot(repository, never));
    for (const count of [100, 5_000]) {
      changeFiles(repository, count);
      const what = `${count.toLocaleString("en")} changed files`;
      rows.push(...(await measure(`comparison, ${what}`, home, () => compareSnapshot(snapshot, never))));
      rows.push(...(await measure(`snapshot, ${what}`, home, () => takeSnapshot(repository, never))));
    }
    return rows;
  } finally {
    process.env.HOME = homeBefore;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ours and the very commands it gives to git, bare, in alternating order. */
async function measure(what, home, ours) {
  const commands = await recordCommands(home, ours);
  const results = await interleave(rounds, { ours: () => timed(ours), bare: () => timed(() => replay(commands)) });
  const of = (name, figure) => results[name].map((round) => round[figure]);
  const own = of("ours", "ms").map((ms, round) => ms - of("bare", "ms")[round]);
  return [
    row({
      what,
      value: median(of("ours", "ms")),
      best: Math.min(...of("ours", "ms")),
      unit: "ms",
      peer: `its ${commands.length} git commands, bare`,
      peerValue: median(of("bare", "ms")),
    }),
    row({ what: "  beyond git", value: Math.max(0, median(own)), unit: "ms", aim: { below: 500 } }),
    row({ what: "  our processor time", value: median(of("ours", "cpu")), unit: "ms" }),
  ];
}

async function timed(act) {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await act();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpu: (user + system) / 1_000 };
}

/** Git itself writes down how it is called; of our own settings only its home reaches it. */
async function recordCommands(home, act) {
  const trace = join(home, "trace");
  writeFileSync(trace, "");
  writeFileSync(join(home, ".gitconfig"), `[trace2]\n\teventTarget = ${trace}\n`);
  await act();
  writeFileSync(join(home, ".gitconfig"), "");
  const events = readFileSync(trace, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const roots = new Map(events.filter(({ event }) => event === "def_repo").map(({ sid, worktree }) => [sid, worktree]));
  return events
    .filter(({ event, sid }) => event === "start" && !sid.includes("/"))
    .map(({ argv, sid }) => ({ args: argv.slice(1), cwd: roots.get(sid) }));
}

/** In the order they were given; status and the list of overlooked files run side by side, as ours do. */
async function replay(commands) {
  const isSideBySide = ({ args }) => args.includes("status") || args.includes("ls-files");
  const cwd = commands.find((command) => command.cwd !== undefined)?.cwd;
  const pair = commands.filter(isSideBySide);
  for (const command of commands) {
    if (command === pair[0]) await Promise.all(pair.map(({ args }) => runBare(args, cwd)));
    else if (!isSideBySide(command)) await runBare(command.args, cwd);
  }
}

function runBare(args, cwd) {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, GIT_OPTIONAL_LOCKS: "0", GIT_CONFIG_NOSYSTEM: "1" };
    const child = spawn("git", args, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", resolve);
  });
}

function makeRepository(folder) {
  mkdirSync(folder);
  for (let at = 0; at < files; at += 1) {
    if (at % filesInFolder === 0) mkdirSync(join(folder, folderOf(at)), { recursive: true });
    writeFileSync(join(folder, pathOf(at)), `export const value${at} = ${at};\n`.repeat(20));
  }
  const git = (...args) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=B", "-c", "user.email=b@example.com", "commit", "-q", "-m", "first");
  git("status");
}

const folderOf = (at) => `src/part${Math.floor(at / filesInFolder / 50)}/folder${Math.floor(at / filesInFolder)}`;
const pathOf = (at) => `${folderOf(at)}/file${at}.ts`;

/** A third each: modified, added, deleted. */
function changeFiles(folder, count) {
  for (let at = 0; at < count; at += 3) {
    writeFileSync(join(folder, pathOf(at)), `changed ${count}\n`);
    writeFileSync(join(folder, `${pathOf(at)}.new`), `new ${count}\n`);
    rmSync(join(folder, pathOf(at + 1)), { force: true });
  }
}
