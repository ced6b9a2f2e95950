import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { root } from "../scripts/steps/root.mjs";
import { makeFolder, readToken } from "./kit/homes.mjs";
import { HttpClient } from "./kit/http-client.mjs";
import { compare, interleave, median, percentile } from "./kit/measure.mjs";
import { residentMb } from "./kit/memory.mjs";
import { startServer } from "./kit/programs.mjs";
import { row } from "./kit/rows.mjs";

export const title = "Agents that we start, their terminals and what they cost, against doing it by hand";

const agent = join(root, "bench", "programs", "agent.mjs");
const rounds = 7;
const crowd = 16;
const listenMs = 5_000;
const idleMs = 10_000;
const now = () => performance.timeOrigin + performance.now();

export async function run() {
  const houses = { tmux: await openHouse("tmux"), headless: await openHouse("headless") };
  const subjects = Object.fromEntries(
    Object.entries(houses).flatMap(([mode, house]) => [
      [mode, () => startByReview(house)],
      [`${mode}ByHand`, () => startByHand(house, mode)],
    ]),
  );
  await interleave(1, subjects);
  const results = await interleave(rounds, subjects);
  const starts = Object.keys(houses).map((mode) =>
    row({
      what: `request_review to the agent's first line, ${mode}`,
      unit: "ms",
      peer: "git worktree add and the program by hand",
      ...compare(results[mode], results[`${mode}ByHand`], "first"),
    }),
  );
  await houses.headless.close();
  const rows = [...starts, ...(await measureTerminals(houses.tmux))];
  await houses.tmux.close();
  return rows;
}

async function openHouse(mode) {
  const home = makeFolder();
  const notes = makeFolder();
  const agents = { bench: { command: [process.execPath, agent, notes], mode } };
  const config = { agents, review: { agent: "bench", maxParallel: 64 } };
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const server = await startServer(home);
  const token = readToken(home);
  const client = new HttpClient(server.url, token);
  const ids = new Set();
  const stopAll = async () => {
    for (const id of ids) await client.callTool("instance_stop", { id });
    ids.clear();
    const isRunning = ({ program_state }) => program_state === "running" || program_state === "starting";
    while ((await client.callTool("instance_list", {})).instances.some(isRunning)) await pause(100);
  };
  return {
    ...{ home, notes, server, token, ids, stopAll },
    async ask() {
      const repository = makeRepository();
      const body = { method: "POST", body: "{}", headers: headersOf(token, repository) };
      const answer = await (await fetch(`${server.url}/api/tools/request_review`, body)).json();
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      ids.add(answer.result.review_instance_id);
      return answer.result.review_instance_id;
    },
    async close() {
      await stopAll();
      client.close();
      await server.end();
    },
  };
}

const headersOf = (token, repository) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  "x-crewdeck-repo": encodeURI(repository),
});

function makeRepository() {
  const folder = makeFolder();
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd: folder });
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "a\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  git("switch", "-q", "-c", "work");
  return folder;
}

/** From the call to the moment at which the program began, as it says itself. */
async function startByReview(house) {
  const startedAt = now();
  const id = await house.ask();
  const first = (await readBeginning(house, id)) - startedAt;
  await house.stopAll();
  return { first };
}

async function startByHand({ notes }, mode) {
  const repository = makeRepository();
  const name = `by-hand-${Math.random()}`;
  const folder = join(makeFolder(), "tree");
  const socket = join(makeFolder(), "s");
  const startedAt = now();
  execFileSync("git", ["worktree", "add", "-q", "-b", "review", folder], { cwd: repository });
  const words = [process.execPath, agent, notes, name];
  const tmux = (...args) => execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args]);
  const child = mode === "headless" ? spawn(words[0], words.slice(1), { cwd: folder, stdio: "ignore" }) : undefined;
  if (!child) tmux("new-session", "-d", "-c", folder, "--", ...words);
  const first = (await readBeginning({ notes }, name)) - startedAt;
  if (child) child.kill();
  else tmux("kill-server");
  return { first };
}

async function readBeginning({ notes }, name) {
  const file = join(notes, name);
  while (!existsSync(file)) await pause(10);
  return Number(readFileSync(file, "utf8"));
}

/** What the server spends on agents that do nothing, then how late their output is read, one and many at once. */
async function measureTerminals(house) {
  const pid = house.server.child.pid;
  const emptyCpu = await cpuShare(pid);
  const emptyMb = residentMb(pid);
  for (let count = 0; count < crowd; count += 1) await readBeginning(house, await house.ask());
  const ids = [...house.ids];
  const fullCpu = await cpuShare(pid);
  const fullMb = residentMb(pid);
  const beside = ids.map((id) =>
    residentMb(JSON.parse(readFileSync(join(house.home, "agents", id, "process.json"), "utf8")).pid),
  );
  const talk = join(house.notes, "talk");
  writeFileSync(talk, "");
  const one = await listen([openSocket(house, ids[0])]);
  const direct = await listen([openControl(house, ids[0])]);
  const many = await listen(ids.map((id) => openSocket(house, id)));
  rmSync(talk);
  const peer = "tmux's control mode";
  return [
    row({ what: "pane to WebSocket, p50", unit: "ms", value: median(one), peer, peerValue: median(direct) }),
    row({
      what: "pane to WebSocket, p95",
      unit: "ms",
      value: percentile(one, 0.95),
      peer,
      peerValue: percentile(direct, 0.95),
    }),
    row({
      what: `the same with ${crowd} terminals at once, p95`,
      unit: "ms",
      value: percentile(many, 0.95),
      peer: "one",
      peerValue: percentile(one, 0.95),
    }),
    row({ what: "an idle agent, the server's time", unit: "ms/s", value: (fullCpu - emptyCpu) / crowd }),
    row({ what: "an idle agent, the server's memory", unit: "MB", value: (fullMb - emptyMb) / crowd }),
    row({ what: "an idle agent, what runs beside its program", unit: "MB", value: median(beside) }),
  ];
}

/** Milliseconds of processor time in a second. */
async function cpuShare(pid) {
  const read = () => {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const before = read();
  await pause(idleMs);
  return ((read() - before) / idleMs) * 1_000;
}

/** How late each line was, of all that are listened to. */
async function listen(listeners) {
  await pause(1_000);
  const from = now();
  await pause(listenMs);
  for (const { close } of listeners) close();
  return listeners.flatMap(({ heard }) => heard.filter(({ said }) => said > from).map(({ said, at }) => at - said));
}

function openSocket({ server, token }, id) {
  const address = `${server.url.replace("http", "ws")}/ws/terminal/${id}`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  const heard = [];
  socket.on("message", (data) => noteLines(heard, JSON.parse(String(data)).data ?? ""));
  return { heard, close: () => socket.close() };
}

function openControl({ home }, id) {
  const child = spawn("tmux", ["-S", join(home, "agents", "tmux.sock"), "-C", "attach-session", "-t", `=${id}`]);
  const heard = [];
  child.stdout.setEncoding("utf8").on("data", (text) => noteLines(heard, text));
  return { heard, close: () => child.kill() };
}

function noteLines(heard, text) {
  const at = now();
  for (const [, said] of text.matchAll(/<([\d.]+)>/g)) heard.push({ said: Number(said), at });
}
