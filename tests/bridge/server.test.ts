import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { homeAt, readServerInfo, type ServerInfo } from "../../src/adapters/home.ts";
import { isItself, proofOf } from "../../src/adapters/server-proof.ts";
import { teamFailure } from "../../src/contract/envelope.ts";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, crewdeckJson, endProcess, ensureBuilt, openHome, serversOf, type TestHome } from "../cli/program.ts";
import { BridgeProcess, envelope, type Frame } from "./bridge-process.ts";

beforeAll(ensureBuilt);

const contentOf = (frame: Frame): Record<string, unknown> =>
  frame.result?.["structuredContent"] as Record<string, unknown>;

const infoOf = (home: TestHome): { pid: number; url: string } =>
  JSON.parse(readFileSync(join(home.dir, "server.json"), "utf8")) as { pid: number; url: string };

const register = (bridge: BridgeProcess, name: string): Promise<Frame> =>
  bridge.call("agent_register", { name, runtime: "custom" });

async function namesIn(home: TestHome): Promise<string[]> {
  const { agents } = await crewdeckJson<{ agents: { name: string }[] }>(home, "call", "agent_list", "--limit", "500");
  return agents.map(({ name }) => name).sort();
}

test("[BR10] the first call starts a server that outlives the bridge and serves the next one", async () => {
  const home = openHome();
  const first = new BridgeProcess(home);
  await first.initialize();
  expect(serversOf(home.dir)).toEqual([]);
  expect(contentOf(await register(first, "Ada"))).toMatchObject({ name: "Ada", status: "online" });
  expect(await first.hangUp()).toBe(0);
  const { pid } = infoOf(home);
  expect(serversOf(home.dir)).toEqual([pid]);
  const second = new BridgeProcess(home);
  expect(contentOf(await second.call("agent_list"))).toMatchObject({ agents: [{ name: "Ada" }] });
  expect(infoOf(home).pid).toBe(pid);
});

test("[BR10] a client of the stateless era is served as well", async () => {
  const bridge = new BridgeProcess(openHome());
  await bridge.ask("tools/list", { _meta: envelope });
  const { result } = await bridge.ask("tools/call", { name: "agent_list", arguments: {}, _meta: envelope });
  expect(result).toMatchObject({ structuredContent: { agents: [] }, resultType: "complete" });
});

test("[BR11, BR45] eight bridges that start at once end on one server, and start no other", async () => {
  const home = openHome();
  const names = Array.from({ length: 8 }, (_, at) => `agent ${at}`);
  const answers = await Promise.all(names.map((name) => register(new BridgeProcess(home), name)));
  expect(answers.map((answer) => contentOf(answer)["name"])).toEqual(names);
  await until(() => serversOf(home.dir).length === 1);
  expect(serversOf(home.dir)).toEqual([infoOf(home).pid]);
  expect(await namesIn(home)).toEqual(names);
  // The others have waited for it, and loaded no server of their own to find the store held.
  expect(readFileSync(join(home.dir, "logs", "server.log"), "utf8")).not.toContain("held");
  expect(existsSync(join(home.dir, "starting"))).toBe(false);
});

test.each([
  { what: "a starter that died", leave: (note: string) => writeFileSync(note, String(2 ** 22 - 1)) },
  {
    what: "one of long ago",
    leave(note: string) {
      writeFileSync(note, String(process.pid));
      utimesSync(note, 1, 1);
    },
  },
  {
    what: "something that is no file",
    leave(note: string) {
      mkdirSync(join(note, "inside"), { recursive: true });
      utimesSync(note, 1, 1);
    },
  },
])("[BR45] a turn that was left by $what keeps nobody waiting", async ({ leave }) => {
  const home = openHome();
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  leave(join(home.dir, "starting"));
  expect(contentOf(await register(new BridgeProcess(home), "Ada"))["name"]).toBe("Ada");
});

test.each([
  { whose: "a dead process", pid: 2 ** 22 - 1, secret: "known" },
  { whose: "a process that is somebody else's", pid: process.pid, secret: "known" },
  { whose: "a server that left no secret", pid: process.pid, secret: undefined },
])("[BR12] the note of $whose is not believed, and no token goes to who has its port", async ({ pid, secret }) => {
  const home = openHome();
  const heard: string[] = [];
  const stranger = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]));
    response.setHeader("x-crewdeck-proof", proofOf("guessed", String(request.headers["x-crewdeck-challenge"]), port));
    response.end("{}");
  });
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const { port } = stranger.address() as AddressInfo;
  onTestFinished(() => void stranger.close());
  mkdirSync(home.dir, { recursive: true });
  const note = { pid, url: `http://127.0.0.1:${port}`, version: "0.1.0", secret };
  writeFileSync(join(home.dir, "server.json"), JSON.stringify(note));
  expect(contentOf(await new BridgeProcess(home).call("agent_list"))).toEqual({ agents: [] });
  await crewdeckJson(home, "status");
  expect(heard.filter((request) => /authorization|cdk_/i.test(request))).toEqual([]);
});

test("[BR12] a server's proof is worth nothing on another port", async () => {
  const home = openHome();
  const { url } = await crewdeckJson<{ url: string }>(home, "serve", "--background");
  const relay = createServer((request, response) => {
    void fetch(`${url}/health`, {
      headers: { "x-crewdeck-challenge": String(request.headers["x-crewdeck-challenge"]) },
    })
      .then(({ headers }) => response.setHeader("x-crewdeck-proof", headers.get("x-crewdeck-proof") ?? ""))
      .finally(() => response.end("{}"));
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void relay.close());
  const info = readServerInfo(homeAt(home.dir)) as ServerInfo;
  expect(await isItself(info)).toBe(true);
  expect(await isItself({ ...info, url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}` })).toBe(false);
});

test("[BR13] with COVIBE_BASE_URL that server is used and none is started", async () => {
  const serving = openHome();
  const { url } = await crewdeckJson<{ url: string }>(serving, "serve", "--background");
  const { token } = await crewdeckJson<{ token: string }>(serving, "token", "create");
  const home = openHome({ COVIBE_BASE_URL: url, COVIBE_MCP_TOKEN: token });
  await register(new BridgeProcess(home), "Ada");
  expect(await namesIn(serving)).toEqual(["Ada"]);
  expect(existsSync(home.dir)).toBe(false);
});

test.each([
  "ftp://crewdeck.example",
  "https://user@crewdeck.example",
  "https://user:secret@crewdeck.example",
  "https://crewdeck.example/path",
  "https://crewdeck.example/?query",
  "https://crewdeck.example/#part",
  "crewdeck.example",
])("[BR14] %s is no address of a server", async (address) => {
  const bridge = new BridgeProcess(openHome({ COVIBE_BASE_URL: address }));
  expect(await bridge.ended).toBe(2);
  expect(bridge.stderr).toContain("COVIBE_BASE_URL");
  expect(bridge.stderr).not.toContain("secret");
});

test.each([
  { revision: "2025-06-18", expected: { error: { code: -32602, data: { code: "INVALID_REQUEST" } } } },
  { revision: "2025-11-25", expected: { result: { isError: true, structuredContent: { code: "INVALID_REQUEST" } } } },
])("[BR15] the server answers as the revision $revision asks, although it never saw the client", async ({
  revision,
  expected,
}) => {
  const bridge = new BridgeProcess(openHome());
  await bridge.initialize(revision);
  expect(await bridge.call("agent_list", { limit: 0 })).toMatchObject(expected);
  endProcess(infoOf(bridge.home).pid);
  expect(await bridge.call("agent_list", { limit: 0 })).toMatchObject(expected);
});

test("[BR17] a token that was revoked is refused at once, also on an open connection", async () => {
  const home = openHome();
  const { id, token } = await crewdeckJson<{ id: string; token: string }>(
    home,
    "token",
    "create",
    "--agent-type",
    "codex",
  );
  const bridge = new BridgeProcess({ ...home, env: { ...home.env, COVIBE_MCP_TOKEN: token } });
  expect(contentOf(await bridge.call("agent_list"))).toEqual({ agents: [] });
  await crewdeckJson(home, "token", "revoke", id);
  expect((await bridge.call("agent_list")).result).toMatchObject({
    isError: true,
    structuredContent: { code: "UNAUTHORIZED" },
  });
});

test("[BR18] an excluded tool cannot be called, listed or not", async () => {
  const home = openHome();
  const bridge = new BridgeProcess(home, ["--exclude", "agent_register"]);
  await bridge.initialize();
  expect((await register(bridge, "Ada")).error?.data?.["code"]).toBe("NOT_FOUND");
  const reading = new BridgeProcess(home, ["--read-only"]);
  await reading.initialize();
  expect((await register(reading, "Ada")).error?.data?.["code"]).toBe("NOT_FOUND");
  expect(await namesIn(home)).toEqual([]);
});

test("[BR19] a background server knows no token of its starter, works in the home and logs for the owner only", async () => {
  const home = openHome({ COVIBE_AGENT: "codex", MCP_DATABASE_PATH: "" });
  await new BridgeProcess(home).call("agent_list");
  const { pid } = infoOf(home);
  const started = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  expect(started.filter((variable) => variable.startsWith("COVIBE_"))).toEqual([]);
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toContain(home.dir);
  const log = join(home.dir, "logs", "server.log");
  expect(readFileSync(log, "utf8")).toContain('"url"');
  expect([log, join(home.dir, "logs")].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
});

test("[BR21] calls that flow while the server is killed again and again are each answered and done once", async () => {
  const home = openHome();
  const bridge = new BridgeProcess(home);
  await bridge.initialize();
  const total = 300;
  const names = Array.from({ length: total }, (_, at) => `agent ${String(at).padStart(3, "0")}`);
  const killed = new Set<number>();
  const flow = names.map(async (name, at) => {
    // A few at a time, so that every death finds some of them under way.
    await until(() => bridge.frames.length > at - 12);
    return register(bridge, name);
  });
  for (const share of [0.2, 0.5, 0.8]) {
    await until(() => bridge.frames.length > total * share);
    const { pid } = infoOf(home);
    endProcess(pid);
    killed.add(pid);
  }
  const answers = await Promise.all(flow);
  expect(killed.size).toBe(3);
  expect(answers.map((answer) => contentOf(answer)["name"])).toEqual(names);
  expect(await bridge.hangUp()).toBe(0);
  const ids = bridge.frames.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBe(total + 1);
  expect(await namesIn(home)).toEqual(names);
  expect((await crewdeckJson(home, "verify"))["isIntact"]).toBe(true);
});

test("[AG24] an idle bridge whose server was killed is on the next one with its agent, and starts none itself", async () => {
  const home = openHome();
  const bridge = new BridgeProcess(home);
  await bridge.initialize();
  const { id } = contentOf(await register(bridge, "Ada")) as { id: string };
  process.kill(infoOf(home).pid, "SIGKILL");
  await until(() => serversOf(home.dir).length === 0);
  await crewdeck(home, ["serve", "--background"]);
  const pipes = async () => {
    const status = await crewdeckJson<{ connections: { pipes: number } }>(home, "status");
    return status.connections.pipes;
  };
  await until(async () => (await pipes()) === 1);
  expect(await crewdeckJson(home, "call", "agent_get", "--id", id)).toMatchObject({ id, status: "online" });
  const again = await register(bridge, "Ada");
  expect(contentOf(again)).toMatchObject({ id, resumed: true });
});

test("[BR21] a clean stop in between is survived as well", async () => {
  const home = openHome();
  const bridge = new BridgeProcess(home);
  await register(bridge, "before");
  expect((await crewdeck(home, ["stop"])).code).toBe(0);
  expect(serversOf(home.dir)).toEqual([]);
  await register(bridge, "after");
  expect(await namesIn(home)).toEqual(["after", "before"]);
});

test("[BR23] where no server can be had, calls are told so, and the next one tries anew", async () => {
  // Nobody could write there: the home's parent is a file.
  const blocked = openHome();
  mkdirSync(join(blocked.dir, ".."), { recursive: true });
  writeFileSync(join(blocked.dir, "..", "file"), "");
  const home = { dir: join(blocked.dir, "..", "file", "home"), env: blocked.env };
  const bridge = new BridgeProcess(home, ["--home", home.dir]);
  await bridge.initialize();
  for (const _try of [1, 2]) {
    const { result } = await bridge.call("agent_list");
    expect(result).toMatchObject({ isError: true });
    expect(result?.["structuredContent"]).toEqual(
      teamFailure({
        code: "SERVER_UNREACHABLE",
        namespaceCode: "crewdeck.unavailable",
        message: expect.any(String),
        hint: expect.any(String),
      }),
    );
    expect(result?.["content"]).toEqual([{ type: "text", text: JSON.stringify(result?.["structuredContent"]) }]);
  }
  expect(await bridge.ask("x/unknown")).toMatchObject({
    error: { code: -32603, data: { code: "SERVER_UNREACHABLE" } },
  });
});

test("[BR23] a named server that does not answer is told apart from one that could not be started", async () => {
  const home = openHome();
  const nobody = { ...home, env: { ...home.env, COVIBE_BASE_URL: "http://127.0.0.1:9" } };
  const bridge = new BridgeProcess(nobody);
  expect(contentOf(await bridge.call("agent_list"))).toMatchObject({
    code: "SERVER_UNREACHABLE",
    message: "No Crewdeck server answers at http://127.0.0.1:9.",
    hint: expect.stringContaining("COVIBE_BASE_URL"),
  });
  expect(serversOf(home.dir)).toEqual([]);
});

test("[BR23] a server that cannot start is reported with where to look", async () => {
  const home = openHome();
  mkdirSync(home.dir, { recursive: true });
  writeFileSync(join(home.dir, "config.json"), "{broken");
  const bridge = new BridgeProcess(home);
  expect(contentOf(await bridge.call("agent_list"))).toMatchObject({
    code: "SERVER_UNREACHABLE",
    hint: expect.stringContaining("server.log"),
  });
  writeFileSync(join(home.dir, "config.json"), "{}");
  expect(contentOf(await bridge.call("agent_list"))).toEqual({ agents: [] });
});

test("[BR33] a client that hangs up right after its call is still answered", async () => {
  const home = openHome();
  const bridge = new BridgeProcess(home);
  await bridge.initialize();
  const id = bridge.post("tools/call", { name: "agent_register", arguments: { name: "Ada", runtime: "custom" } });
  expect(await bridge.hangUp()).toBe(0);
  expect(contentOf(await bridge.answerTo(id))).toMatchObject({ name: "Ada" });
});

test("[BR36] in process everything works without a server", async () => {
  const home = openHome();
  const bridge = new BridgeProcess(home, ["--in-process"]);
  await bridge.initialize();
  expect(contentOf(await register(bridge, "Ada"))).toMatchObject({ name: "Ada" });
  expect(serversOf(home.dir)).toEqual([]);
  const second = new BridgeProcess(home, ["--in-process"]);
  expect(await second.ended).toBe(4);
  expect(second.stderr).toContain("held by process");
  expect(await bridge.hangUp()).toBe(0);
  expect(existsSync(join(home.dir, "server.json"))).toBe(false);
});
