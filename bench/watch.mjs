import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeFolder } from "./kit/homes.mjs";
import { residentMb } from "./kit/memory.mjs";
import { endProgram, program, quietEnv, startNode, startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

export const title = "`crewdeck watch` where nothing changes, against Node with nothing to do";

const repositories = 3;
/** The longest pause between two looks, which a quiet machine comes to by itself. */
const restSeconds = 60;

export async function run() {
  const home = makeFolder();
  const server = await startServer(home);
  const known = Array.from({ length: repositories }, (_, at) => makeRepository(join(home, `shop-${at}`)));
  mkdirSync(join(home, ".covibe"));
  writeFileSync(join(home, ".covibe", "repos.json"), JSON.stringify(known));
  const watch = startNode([program, "watch", "--quiet", "--interval", `${restSeconds}`], {
    env: { ...quietEnv(home), HOME: home },
  });
  const bare = startNode(["-e", `setInterval(() => {}, ${restSeconds * 1_000})`]);
  // Past its first look; of the next minute one look is a part.
  await pause(15_000);
  const before = [processorMs(watch.pid), processorMs(bare.pid)];
  await pause(restSeconds * 1_000);
  const [used, bareUsed] = [processorMs(watch.pid) - before[0], processorMs(bare.pid) - before[1]];
  const memory = [residentMb(watch.pid), residentMb(bare.pid)];
  await Promise.all([endProgram(watch), endProgram(bare)]);
  await server.end();
  const peer = "bare node";
  const perSecond = (ms) => ms / restSeconds;
  return [
    row({
      what: `${repositories} repositories at rest, processor time with git's`,
      unit: "ms a second",
      value: perSecond(used),
      peer,
      peerValue: perSecond(bareUsed),
      aim: { atMost: 10 },
    }),
    row({ what: "memory", unit: "MB", value: memory[0], peer, peerValue: memory[1] }),
  ];
}

function makeRepository(path) {
  mkdirSync(path);
  const git = (...args) => execFileSync("git", ["-C", path, ...args], { stdio: "ignore" });
  git("init", "-q", "-b", "main");
  for (let at = 0; at < 200; at++) writeFileSync(join(path, `file-${at}.ts`), `export const n = ${at};\n`);
  git("add", ".");
  git("-c", "user.name=Bench", "-c", "user.email=bench@crewdeck.example", "commit", "-qm", "First");
  return { path };
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"]));

/** Of a process and of those it has waited for. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks / ticksPerSecond) * 1_000;
}
