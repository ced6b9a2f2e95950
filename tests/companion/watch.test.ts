import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { companionAt } from "../../src/companion/places.ts";
import { registerRepo } from "../../src/companion/repos.ts";
import { targetsOf } from "../../src/companion/server-for.ts";
import { listSessions, writeSession } from "../../src/companion/sessions.ts";
import { Watch } from "../../src/companion/watch/watch.ts";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, programFile, type TestHome, tokenOf } from "../cli/program.ts";

beforeAll(ensureBuilt);

interface Session {
  readonly id: string;
  readonly repo: string;
  readonly branch: string;
  readonly worktree: string;
  readonly signals: readonly { way: string }[];
  readonly snapshot: { dirty_total: number; unpushed_total: number } | null;
}

async function openRepository() {
  const home = openHome();
  const userHome = home.env["HOME"] ?? "";
  const repository = join(userHome, "shop");
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.test", ...args], {
      cwd: repository,
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(repository, "a.ts"), "1\n");
  git("add", ".");
  git("commit", "-qm", "First");
  const companion = companionAt(userHome);
  registerRepo(companion, { path: repository });
  await crewdeckJson(home, "up");
  const look = () =>
    crewdeckJson<{ snapshots: number; violations: number; problems: string[] }>(home, "watch", "--once");
  return { home, repository, git, companion, look, sessions: () => listOn(home) };
}

const listOn = async (home: TestHome): Promise<Session[]> =>
  (await crewdeckJson<{ sessions: Session[] }>(home, "sessions")).sessions;

test("[WH1, WH2, WH3, SN20] a look reports every working copy once, and a change of what others have claimed", async () => {
  const { home, repository, git, look, sessions } = await openRepository();
  expect(await look()).toMatchObject({ snapshots: 0, problems: [] });
  git("worktree", "add", "-q", "-b", "topic", join(repository, "..", "topic"));
  writeFileSync(join(repository, "a.ts"), "2\n");
  writeFileSync(join(repository, "..", "topic", "new file.ts"), "secret\n");
  const claim = { operation: "claim", repo: "shop", paths: ["a.ts"] };
  const other = await crewdeckJson<{ data: { session_id: string } }>(
    home,
    "call",
    "covibe_session",
    "--input",
    '{"operation":"start"}',
  );
  await crewdeckJson(
    home,
    "call",
    "covibe_coordination",
    "--input",
    JSON.stringify({ ...claim, session_id: other.data.session_id }),
  );

  expect(await look()).toMatchObject({ snapshots: 2, violations: 1, problems: [] });
  const seen = (await sessions()).filter(({ snapshot }) => snapshot !== null);
  expect(seen.map(({ signals }) => signals.map(({ way }) => way))).toEqual([["watch"], ["watch"]]);
  expect(seen.map(({ repo, branch, snapshot }) => [repo, branch, snapshot?.dirty_total]).sort()).toEqual([
    ["shop", "main", 1],
    ["shop", "topic", 1],
  ]);
  const { stdout } = await crewdeck(home, ["log", "--json", "--limit", "100"]);
  expect(stdout).toContain("Changed a.ts, claimed by");
  expect(stdout).not.toContain("secret");

  // Another process, as after a kill: the same sessions, nobody twice.
  await look();
  expect((await sessions()).map(({ id }) => id).sort()).toEqual(
    [...seen.map(({ id }) => id), other.data.session_id].sort(),
  );
});

/** A server of this test, on a port of its own. */
function open(listener: RequestListener): string {
  const server = createServer(listener).listen(0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("[WH3, WH5] a watch that is killed after any of its calls tells the same violation and starts its session once", async () => {
  const { home, repository, sessions } = await openRepository();
  const { data: other } = await crewdeckJson<{ data: { session_id: string } }>(
    home,
    "call",
    "covibe_session",
    "--operation",
    "start",
  );
  const claim = { operation: "claim", repo: "shop", paths: ["a.ts"], session_id: other.session_id };
  await crewdeckJson(home, "call", "covibe_coordination", "--input", JSON.stringify(claim));
  writeFileSync(join(repository, "a.ts"), "2\n");
  const { url } = await crewdeckJson<{ url: string }>(home, "up");

  /** Answers whether it came to its end before so many calls were made. */
  const lookUntil = async (mostCalls: number): Promise<boolean> => {
    let calls = 0;
    const door = open(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = { ...(request.headers as Record<string, string>), host: new URL(url).host };
      const answer = await fetch(`${url}${request.url}`, { method: "POST", headers, body: Buffer.concat(chunks) });
      const text = await answer.text();
      calls += 1;
      if (calls === mostCalls) child.kill("SIGKILL");
      else response.writeHead(answer.status).end(text);
    });
    const env = { ...home.env, COVIBE_BASE_URL: door, COVIBE_MCP_TOKEN: tokenOf(home) };
    const child = spawn(process.execPath, [programFile, "watch", "--once"], { env, stdio: "ignore" });
    return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
  };
  let calls = 1;
  while (!(await lookUntil(calls))) calls += 1;
  expect(calls).toBeGreaterThan(4);
  await lookUntil(Number.POSITIVE_INFINITY);
  const { stdout } = await crewdeck(home, ["log", "--json", "--limit", "200"]);
  expect(stdout.split("Changed a.ts, claimed by")).toHaveLength(2);
  expect(await sessions()).toHaveLength(2);
});

test("[WH6, WH7, WH8] clients that show themselves are kept alive, and neither a refusal nor a server that is away stops the rest", async () => {
  const { home, repository, companion } = await openRepository();
  const heard: string[] = [];
  const other = open(async (request, response) => {
    for await (const chunk of request) heard.push(String(chunk));
    response.end(JSON.stringify({ ok: true, result: { status: "ok", data: {} } }));
  });
  registerRepo(companion, { path: "/away", base_url: "http://127.0.0.1:9" });
  registerRepo(companion, { path: "/elsewhere", base_url: other });
  const started = await crewdeckJson<{ data: { session_id: string } }>(
    home,
    "call",
    "covibe_session",
    "--operation",
    "start",
  );
  const { session_id } = started.data;
  const transcript = join(repository, "..", "t.jsonl");
  writeFileSync(transcript, "{}\n");
  const client = { client: "claude-code", own: [], seen_at: "", transcript };
  writeSession(companion, { ...client, session: "live", session_id, repository: "/somewhere" });
  writeSession(companion, { ...client, session: "gone", session_id: "ag_gone0000000000000000", repository });
  writeFileSync(join(repository, "a.ts"), "2\n");

  let now = Date.now();
  const targetFor = targetsOf(
    { home: homeAt(home.dir), env: { ...home.env, COVIBE_MCP_TOKEN: tokenOf(home) } },
    undefined,
  );
  const watch = new Watch(companion, targetFor, () => now);
  const beats = async () => {
    const { stdout } = await crewdeck(home, ["log", "--json", "--limit", "200"]);
    return stdout.split("\n").filter((line) => line.includes('"session.heartbeat"') && line.includes(session_id))
      .length;
  };
  const round = await watch.look();
  expect(round).toMatchObject({ repositories: 3, snapshots: 1, problems: [expect.stringContaining("/away: ")] });
  expect(await beats()).toBe(1);
  expect(heard.map((text) => JSON.parse(text))).toMatchObject([
    { operation: "heartbeat", registered_repos: ["/elsewhere"] },
  ]);
  now += 61_000;
  await watch.look();
  expect(await beats()).toBe(1);
  utimesSync(transcript, new Date(now), new Date(now));
  now += 61_000;
  await watch.look();
  expect(await beats()).toBe(2);
});

test("[WH2, WH4, WH5] one process watches, a kill leaves nothing behind that the next one trips over, a stop ends its sessions", async () => {
  const { home, repository, companion, sessions } = await openRepository();
  writeFileSync(join(repository, "a.ts"), "2\n");
  const start = () => {
    const child = spawn(process.execPath, [programFile, "watch", "--interval", "1", "--home", home.dir], {
      env: home.env,
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const first = start();
  await until(async () => (await sessions()).some(({ snapshot }) => snapshot?.dirty_total === 1));
  expect((await crewdeck(home, ["watch"])).stderr).toContain("Another process watches this machine already.");
  first.kill("SIGKILL");
  await new Promise((resolve) => first.once("exit", resolve));
  writeFileSync(join(repository, "b.ts"), "new\n");
  const second = start();
  await until(async () => (await sessions()).some(({ snapshot }) => snapshot?.dirty_total === 2));
  expect(await sessions()).toHaveLength(1);
  second.kill("SIGTERM");
  await new Promise((resolve) => second.once("exit", resolve));
  expect(await sessions()).toEqual([]);
  expect(listSessions(companion)).toEqual([]);
});
