import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { freshLocation } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, programFile, serversOf, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

interface Serving {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly url: string;
  stdout(): string;
}

/** A server in the foreground that is ready. */
async function serve(home: TestHome, args: readonly string[] = [], cwd?: string): Promise<Serving> {
  const child = spawn(process.execPath, [programFile, "serve", "--json", ...args], {
    env: home.env,
    stdio: "pipe",
    cwd,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  await until(() => stdout.includes("\n") || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${stderr}`);
  return { child, ended, url: (JSON.parse(stdout) as { url: string }).url, stdout: () => stdout };
}

const health = async (url: string): Promise<number> => (await fetch(`${url}/health`)).status;

test.each([
  "SIGINT",
  "SIGTERM",
] as const)("[CL20, CL22] serve is ready when it says so, and %s ends it cleanly", async (signal) => {
  const home = openHome();
  const server = await serve(home);
  expect(JSON.parse(server.stdout())).toEqual({ url: server.url, pid: server.child.pid, home: home.dir });
  expect(await health(server.url)).toBe(200);
  expect(existsSync(join(home.dir, "server.json"))).toBe(true);
  server.child.kill(signal);
  expect(await server.ended).toBe(0);
  expect(server.stdout().trim().split("\n")).toHaveLength(1);
  expect(existsSync(join(home.dir, "server.json"))).toBe(false);
  await expect(health(server.url)).rejects.toThrow();
});

test("[CL22] a client that stays connected does not hold the server", async () => {
  const home = openHome();
  const server = await serve(home);
  const { port } = new URL(server.url);
  const { connect } = await import("node:net");
  const socket = connect(Number(port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n");
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
});

test("[CL21] a port that was asked for is used, and refused when it is taken", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const port = String((taken.address() as AddressInfo).port);
  onTestFinished(() => void taken.close());
  for (const home of [openHome(), openHome({ MCP_SERVER_PORT: port })]) {
    const args = home.env["MCP_SERVER_PORT"] === port ? ["serve"] : ["serve", "--port", port];
    const { code, stderr } = await crewdeck(home, args);
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is in use`);
  }
  await new Promise((resolve) => taken.close(resolve));
  expect((await serve(openHome(), ["--port", port])).url).toBe(`http://127.0.0.1:${port}`);
});

test("[CL21] the default port gives way to a free one when it is taken", async () => {
  const taken = createServer().on("error", () => undefined);
  onTestFinished(() => void taken.close());
  const take = (): Promise<boolean> =>
    new Promise((resolve) => {
      taken.once("error", () => resolve(false)).listen(3001, "127.0.0.1", () => resolve(true));
    });
  const start = async () => {
    const { dir, env } = openHome();
    const { MCP_SERVER_PORT: _port, ...rest } = env;
    return serve({ dir, env: rest });
  };
  // Whoever has it already serves the purpose as well, unless they leave meanwhile.
  const isOurs = await take();
  const first = await start();
  const hasLeft = !isOurs && new URL(first.url).port === "3001";
  const server = hasLeft ? await start() : first;
  expect(new URL(server.url).port).not.toBe("3001");
  expect(await health(server.url)).toBe(200);
});

test("[CL23] a second server on a held store names the holder and ends with 4", async () => {
  const home = openHome();
  const server = await serve(home);
  const same = await crewdeck(home, ["serve"]);
  expect(same.code).toBe(4);
  expect(same.stderr).toContain(`held by process ${server.child.pid}`);
  expect(same.stderr).toContain(server.url);
  const other = openHome({ MCP_DATABASE_PATH: join(home.dir, "crewdeck.db") });
  const elsewhere = await crewdeck(other, ["serve"]);
  expect(elsewhere.code).toBe(4);
  expect(elsewhere.stderr).toContain(`held by process ${server.child.pid}`);
  expect(await health(server.url)).toBe(200);
});

test("[CL2, CL24] up starts a server once, and its link signs a browser in once", async () => {
  const home = openHome();
  const first = await crewdeckJson<{ url: string; pid: number; sign_in: string; started: boolean }>(home);
  expect(first).toMatchObject({ started: true, home: home.dir });
  const again = await crewdeck(home, ["up"]);
  expect(again.stdout).toContain(`Crewdeck is running at ${first.url}`);
  expect(again.stdout).toContain(`add this MCP server command: node ${programFile} mcp --home ${home.dir}`);
  expect(serversOf(home.dir)).toEqual([first.pid]);
  const visit = async () => {
    const answer = await fetch(first.sign_in, { redirect: "manual" });
    return { isSignedIn: answer.headers.has("set-cookie"), to: answer.headers.get("location") };
  };
  expect(await visit()).toEqual({ isSignedIn: true, to: "/" });
  expect((await visit()).isSignedIn).toBe(false);
});

test("[CL25, CL27] a server in the background answers when its starter returns, and is gone when stop returns", async () => {
  const home = openHome();
  const { url, pid } = await crewdeckJson<{ url: string; pid: number }>(home, "serve", "--background", "--port", "0");
  expect(await health(url)).toBe(200);
  expect(await crewdeckJson(home, "serve", "--background")).toEqual({ url, pid, home: home.dir });
  expect(await crewdeckJson(home, "stop")).toEqual({ stopped: true, pid });
  expect(serversOf(home.dir)).toEqual([]);
  expect(await crewdeckJson(home, "stop")).toEqual({ stopped: false, pid: null });
  expect((await crewdeck(home, ["stop"])).stdout).toContain("crewdeck up");
});

test("[CL26, SE28] a browser opens where a person looks, and nowhere else, by a page of the user's own", async () => {
  const home = openHome({ DISPLAY: ":7" });
  const folder = join(home.dir, "..", "programs");
  const opened = join(folder, "opened");
  mkdirSync(folder);
  writeFileSync(join(folder, "xdg-open"), `#!/bin/sh\necho "$1" >> "${opened}"\n`);
  chmodSync(join(folder, "xdg-open"), 0o755);
  const env = { ...home.env, PATH: `${folder}:${home.env["PATH"]}` };
  expect((await crewdeck({ ...home, env }, ["up"])).code).toBe(0);
  const onTerminal = (more: NodeJS.ProcessEnv, ...args: string[]) =>
    promisify(execFile)("script", ["-qec", `"${process.execPath}" "${programFile}" ${args.join(" ")}`, "/dev/null"], {
      env: { ...env, ...more },
    });
  await onTerminal({ DISPLAY: "" }, "up");
  await onTerminal({}, "up", "--json");
  expect(existsSync(opened)).toBe(false);
  await onTerminal({}, "up");
  await until(() => existsSync(opened) && readFileSync(opened, "utf8").includes("\n"));
  const page = join(home.dir, "open-deck.html");
  expect(readFileSync(opened, "utf8")).toBe(`${pathToFileURL(page).href}\n`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect(readFileSync(page, "utf8")).toMatch(
    /content="0; url=http:\/\/127\.0\.0\.1:\d+\/login\?code=[\w-]+&amp;here=[\w-]{43}"/,
  );
});

test("[CL28] a relative store path is seen from where the command was given", async () => {
  const home = openHome({ MCP_DATABASE_PATH: "data/store.db" });
  const folder = join(home.dir, "..", "work");
  mkdirSync(folder);
  const server = await serve(home, [], folder);
  expect(existsSync(join(folder, "data", "store.db"))).toBe(true);
  server.child.kill("SIGTERM");
  await server.ended;
  const started = spawn(process.execPath, [programFile, "up", "--json"], {
    env: home.env,
    cwd: folder,
    stdio: "ignore",
  });
  expect(await new Promise((resolve) => started.once("close", resolve))).toBe(0);
  expect(existsSync(join(home.dir, "data"))).toBe(false);
  expect(((await crewdeckJson(home, "status"))["store"] as { location: string }).location).toBe(
    join(folder, "data", "store.db"),
  );
});

test("[CL28] a PostgreSQL address is taken as store", async () => {
  const home = openHome();
  await serve(home, ["--database", freshLocation("postgres")]);
  expect(await crewdeckJson(home, "status")).toMatchObject({ running: true, store: { dialect: "postgres" } });
});

test.each([
  [["--database", "mysql://127.0.0.1/crewdeck"], {}],
  [[], { MCP_DATABASE_PATH: "file:///srv/crewdeck.db" }],
])("[CL28] the address of another database is wrong use and makes nothing: %j %j", async (args, env) => {
  const home = openHome(env);
  const { code, stderr } = await crewdeck(home, ["serve", "--port", "0", ...args]);
  expect({ code, says: stderr.includes("postgres://") }).toEqual({ code: 2, says: true });
  expect(existsSync(home.dir)).toBe(false);
});

test("[CL29] status tells what runs and what waits, and starts nothing", async () => {
  const home = openHome();
  const none = await crewdeck(home, ["status", "--json"]);
  expect([none.code, JSON.parse(none.stdout)]).toEqual([3, { running: false, home: home.dir }]);
  expect((await crewdeck(home, ["status"])).stdout).toContain("crewdeck up");
  expect(existsSync(home.dir)).toBe(false);
  const { id: ada } = await crewdeckJson<{ id: string }>(
    home,
    "call",
    "agent_register",
    "--name",
    "Ada",
    "--runtime",
    "codex",
  );
  const { id: bob } = await crewdeckJson<{ id: string }>(
    home,
    "call",
    "agent_register",
    "--name",
    "Bob",
    "--runtime",
    "codex",
  );
  const message = ["--sender-id", ada, "--recipient-id", bob, "--message-type", "query", "--body", "hello"];
  await crewdeckJson(home, "call", "message_send", ...message);
  expect(await crewdeckJson(home, "status")).toMatchObject({
    running: true,
    home: home.dir,
    unread: 1,
    agents: { online: 2, busy: 0, offline: 0 },
    store: { dialect: "sqlite", location: join(home.dir, "crewdeck.db"), readOnlyReason: null },
  });
  const { stdout } = await crewdeck(home, ["status"]);
  expect(stdout).toMatch(
    /^Server {4}http.*\nStore {5}sqlite .*\nAgents {4}2 online\nUnread {4}1 message for your agents\nWork {6}0 active, 0 planned, 0 completed in 14 days\nSessions {2}0 active, 0 stale \(no signal for 30 min\)\nInbox {5}nothing needs you\n$/,
  );
});

test("[ID21] a home whose credentials were deleted can be used again after a start", async () => {
  const home = openHome();
  const first = await serve(home, ["--port", "0"]);
  first.child.kill("SIGTERM");
  await first.ended;
  rmSync(join(home.dir, "credentials.json"));

  await serve(home, ["--port", "0"]);

  expect(await crewdeckJson(home, "token", "list")).toMatchObject({
    tokens: [{ label: "this machine" }, { label: "this machine, again" }],
  });
});
