import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Failure, teamFailure } from "../../src/contract/envelope.ts";
import { letPass, until } from "../../src/testing/waiting.ts";
import { ensureBuilt, openHome, type TestHome } from "../cli/program.ts";
import { BridgeProcess, envelope } from "./bridge-process.ts";
import { type ScriptedPipe, startScript } from "./scripted-server.ts";

beforeAll(ensureBuilt);

const key = "crewdeck/idempotencyKey";
const keyOf = (frame: { params?: Record<string, unknown> } | undefined): unknown =>
  (frame?.params?.["_meta"] as Record<string, unknown> | undefined)?.[key];

const at = (url: string, more: NodeJS.ProcessEnv = {}): TestHome => openHome({ COVIBE_BASE_URL: url, ...more });

const reply = (id: unknown, from: string) => ({ id, result: { from } });

test("[BR20] calls arrive in order, and answers go back whatever their order", async () => {
  const waiting: [ScriptedPipe, unknown][] = [];
  const { url, pipes } = await startScript(({ id }, pipe) => void waiting.push([pipe, id]));
  const bridge = new BridgeProcess(at(url));
  const ids = Array.from({ length: 50 }, () => bridge.post("tools/call", { name: "agent_list" }));
  await until(() => waiting.length === 50);
  expect(pipes[0]?.frames.map((frame) => frame.id)).toEqual(ids);
  for (const [pipe, id] of waiting.reverse()) pipe.say(reply(id, "server"));
  await Promise.all(ids.map((id) => bridge.answerTo(id)));
  expect(bridge.frames.map((frame) => frame.id)).toEqual(ids.reverse());
});

test("[BR21] an answer that was cut off by the server's death comes whole from the next server, once", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) => {
    if (pipe !== pipes[0] || id === 1) pipe.say(reply(id, `server ${pipes.length}`));
    else if (id === 2) pipe.dieIn('{"jsonrpc":"2.0","id":2,"result":{"from":"the de');
  });
  const bridge = new BridgeProcess(at(url));
  await bridge.call("agent_list");
  bridge.post("tools/call", { name: "agent_list" });
  bridge.post("tools/call", { name: "agent_list" });
  await Promise.all([bridge.answerTo(2), bridge.answerTo(3)]);
  expect(await bridge.hangUp()).toBe(0);
  expect(bridge.frames.map(({ id, result }) => [id, result?.["from"]])).toEqual([
    [1, "server 1"],
    [2, "server 2"],
    [3, "server 2"],
  ]);
  expect(pipes[1]?.frames.map(({ id }) => id)).toEqual([2, 3]);
  expect(keyOf(pipes[1]?.frames[0])).toBe(keyOf(pipes[0]?.frames[1]));
});

test("[BR22] every call has a key of its own, the same when it is sent again, and a given one is kept", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) =>
    pipes.length === 1 ? undefined : pipe.say(reply(id, "")),
  );
  const bridge = new BridgeProcess(at(url));
  bridge.post("tools/call", { name: "agent_list" });
  bridge.post("tools/call", { name: "agent_list", _meta: { progressToken: 7 } });
  bridge.post("tools/call", { name: "agent_list", _meta: { [key]: "mine" } });
  await until(() => pipes[0]?.frames.length === 3);
  pipes[0]?.die();
  await bridge.answerTo(3);
  const keys = pipes[0]?.frames.map(keyOf) ?? [];
  expect(keys).toEqual([expect.any(String), expect.any(String), "mine"]);
  expect(new Set(keys).size).toBe(3);
  expect(pipes[0]?.frames[1]?.params?.["_meta"]).toEqual({ progressToken: 7, [key]: keys[1] });
  expect(pipes[1]?.frames).toEqual(pipes[0]?.frames);
});

test("[BR24] a call that takes six servers down with it is given up, and others live on", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) => (id === 1 ? pipe.die() : pipe.say(reply(id, ""))));
  const bridge = new BridgeProcess(at(url));
  const { result } = await bridge.call("agent_register");
  expect(result?.["isError"]).toBe(true);
  expect(result?.["structuredContent"]).toEqual(
    teamFailure({
      code: "OUTCOME_UNKNOWN",
      namespaceCode: "crewdeck.unavailable",
      message: expect.any(String),
      hint: expect.stringContaining("idempotency key"),
    }),
  );
  expect(pipes.length).toBe(6);
  expect((await bridge.call("agent_list")).result).toEqual({ from: "" });
});

test("[BR40] a server that hangs with a call is left for the next one, one that is only slow is not", async () => {
  const hangs = await startScript(({ id, method }, pipe) => {
    if (pipe !== hangs.pipes[0] && method === "tools/call") pipe.say(reply(id, "the next"));
  });
  const isSlow = await startScript(({ id, method }, pipe) => {
    if (method === "ping") pipe.say({ id, result: {} });
    else if (method === "tools/call")
      void letPass(40_000, "longer than a bridge waits before it asks whether the server lives").then(() =>
        pipe.say(reply(id, "the same")),
      );
  });
  const bridges = [hangs, isSlow].map(({ url }) => new BridgeProcess(at(url)));
  await Promise.all(bridges.map((bridge) => bridge.initialize()));
  const answers = await Promise.all(bridges.map((bridge) => bridge.call("agent_list")));
  expect(answers.map(({ result }) => result)).toEqual([{ from: "the next" }, { from: "the same" }]);
  expect(hangs.pipes[0]?.frames.map(({ method }) => method)).toContain("ping");
  expect([hangs.pipes.length, isSlow.pipes.length]).toEqual([2, 1]);
  for (const bridge of bridges) expect(bridge.frames).toHaveLength(2);
});

test("[BR25] a cancelled call is neither sent again nor answered", async () => {
  const { url, pipes } = await startScript(({ id, method }, pipe) => {
    if (pipes.length === 2 && method === "tools/call") pipe.say(reply(id, "second"));
  });
  const bridge = new BridgeProcess(at(url));
  const cancelled = bridge.post("tools/call", { name: "agent_list" });
  const kept = bridge.post("tools/call", { name: "agent_list" });
  await until(() => pipes[0]?.frames.length === 2);
  bridge.send({ method: "notifications/cancelled", params: { requestId: cancelled } });
  await until(() => pipes[0]?.frames.length === 3);
  expect(pipes[0]?.frames[2]).toEqual({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: cancelled },
  });
  pipes[0]?.say(reply(cancelled, "too late"));
  pipes[0]?.die();
  await bridge.answerTo(kept);
  expect(await bridge.hangUp()).toBe(0);
  expect(bridge.frames).toEqual([{ jsonrpc: "2.0", id: kept, result: { from: "second" } }]);
  expect(pipes[1]?.frames.map(({ id }) => id)).toEqual([kept]);
});

test("[BR26] a cancel request follows its call, again when that is sent again", async () => {
  const { url, pipes } = await startScript(({ method, params }, pipe) => {
    if (pipes.length === 2 && method === "$/cancelRequest") pipe.say(reply(params?.["id"], "cancelled"));
  });
  const bridge = new BridgeProcess(at(url));
  const id = bridge.post("tools/call", { name: "agent_list" });
  bridge.send({ method: "$/cancelRequest", params: { id } });
  await until(() => pipes[0]?.frames.length === 2);
  pipes[0]?.die();
  expect((await bridge.answerTo(id)).result).toEqual({ from: "cancelled" });
  expect(pipes[1]?.frames.map(({ method }) => method)).toEqual(["tools/call", "$/cancelRequest"]);
});

test("[BR26] a cancel request that asks for an answer gets one", async () => {
  const { url, pipes } = await startScript(({ method, params }, pipe) => {
    if (method === "$/cancelRequest") pipe.say(reply(params?.["id"], "cancelled"));
  });
  const bridge = new BridgeProcess(at(url));
  const id = bridge.post("tools/call", { name: "agent_list" });
  await until(() => pipes[0]?.frames.length === 1);
  expect((await bridge.ask("$/cancelRequest", { id })).result).toEqual({});
  expect((await bridge.answerTo(id)).result).toEqual({ from: "cancelled" });
});

test.each([
  { method: "$/cancelRequest", params: { id: 9 } },
  { method: "notifications/cancelled", params: { requestId: 9 } },
])("[BR26] $method that came in one packet with its call goes on in one", async (cancel) => {
  const { url, pipes } = await startScript(({ id }, pipe) => {
    if (id === 1) pipe.say(reply(id, "server"));
  });
  const bridge = new BridgeProcess(at(url));
  await bridge.call("agent_list");
  const call = { id: 9, method: "tools/call", params: { name: "agent_list", arguments: {} } };
  bridge.write([call, cancel].map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`).join(""));
  await until(() => pipes[0]?.frames.length === 3);
  expect(pipes[0]?.packets.at(-1)?.split("\n")).toHaveLength(3);
});

test("[BR27] progress grows, also when the call starts anew on the next server", async () => {
  const { url, pipes } = await startScript(({ id, params }, pipe) => {
    const { progressToken } = params?.["_meta"] as { progressToken: number };
    const steps = pipes.length === 1 ? [1, 2, 3] : [1, 2, 3, 4];
    for (const progress of steps) pipe.say({ method: "notifications/progress", params: { progressToken, progress } });
    if (pipes.length === 1) pipe.die();
    else pipe.say(reply(id, ""));
  });
  const bridge = new BridgeProcess(at(url));
  await bridge.answerTo(bridge.post("tools/call", { name: "agent_list", _meta: { progressToken: 5 } }));
  const seen = bridge.frames.filter(({ method }) => method === "notifications/progress");
  expect(seen.map(({ params }) => params?.["progress"])).toEqual([1, 2, 3, 4]);
});

test("[BR28] an id that is under way cannot be used again before its answer", async () => {
  const { url, pipes } = await startScript(() => undefined);
  const bridge = new BridgeProcess(at(url));
  bridge.send({ id: "a", method: "tools/call", params: { name: "agent_list" } });
  bridge.send({ id: "a", method: "tools/call", params: { name: "agent_list" } });
  expect((await bridge.answerTo("a")).error?.code).toBe(-32600);
  await until(() => pipes[0]?.frames.length === 1);
  pipes[0]?.say(reply("a", "first"));
  await bridge.waitFor(({ result }) => result?.["from"] === "first");
  bridge.send({ id: "a", method: "tools/call", params: { name: "agent_list" } });
  await until(() => pipes[0]?.frames.length === 2);
});

test("[BR29] a connection that ends with nothing under way is opened again with the next call only", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) => pipe.say(reply(id, "")));
  const bridge = new BridgeProcess(at(url));
  await bridge.call("agent_list");
  pipes[0]?.die();
  await bridge.ask("ping");
  bridge.send({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
  bridge.send({ id: 99, result: {} });
  await bridge.ask("tools/list");
  expect(pipes.length).toBe(1);
  await bridge.call("agent_list");
  expect(pipes.length).toBe(2);
});

test("[BR15] each server hears what the client agreed to before any call, and its greeting stays inside", async () => {
  const { url, pipes } = await startScript(({ id, method }, pipe) => {
    if (method !== "tools/call") return;
    if (pipes.length === 1) pipe.die();
    else pipe.say(reply(id, ""));
  });
  const bridge = new BridgeProcess(at(url));
  await bridge.initialize("1999-01-01", "claude-code");
  await bridge.call("agent_list");
  const greeting = [
    {
      jsonrpc: "2.0",
      id: expect.any(String),
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "claude-code", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: expect.anything() },
  ];
  expect(pipes.map((pipe) => pipe.frames)).toEqual([greeting, greeting]);
  expect(bridge.frames.map(({ id }) => id)).toEqual([1, 2]);
});

test("[BR15] a server is brought into the stateless era before the first call", async () => {
  const { url, pipes } = await startScript(({ id, method }, pipe) =>
    pipe.say(method === "ping" ? { id, error: { code: -32601, message: "" } } : reply(id, "")),
  );
  const bridge = new BridgeProcess(at(url));
  await bridge.ask("tools/list", { _meta: envelope });
  await bridge.ask("tools/call", { name: "agent_list", _meta: envelope });
  expect(pipes[0]?.frames.map(({ method, params }) => [method, params?.["_meta"]])).toEqual([
    ["ping", envelope],
    ["tools/call", { ...envelope, [key]: expect.any(String) }],
  ]);
  expect(bridge.frames.map(({ id }) => id)).toEqual([1, 2]);
});

const unauthorized = {
  ok: false,
  error: { code: "UNAUTHORIZED", namespaceCode: "crewdeck.unauthorized", message: "No valid token.", hint: "Get one." },
};

test("[BR17] a refused token is told to every waiting call, and the next call tries anew", async () => {
  let isRefused = true;
  let asked = 0;
  const { url } = await startScript(
    ({ id }, pipe) => pipe.say(reply(id, "")),
    () => {
      asked += 1;
      return isRefused ? { status: 401, body: unauthorized } : undefined;
    },
  );
  const bridge = new BridgeProcess(at(url));
  const answers = await Promise.all([bridge.call("agent_list"), bridge.call("agent_list")]);
  const failure = teamFailure(unauthorized.error as Failure);
  for (const { result } of answers) {
    expect(result).toEqual({
      content: [{ type: "text", text: JSON.stringify(failure) }],
      structuredContent: failure,
      isError: true,
    });
  }
  expect(asked).toBe(1);
  isRefused = false;
  expect((await bridge.call("agent_list")).result).toEqual({ from: "" });
});

test("[BR17] a refusal in the stateless era has the marks of its results", async () => {
  const { url } = await startScript(
    () => undefined,
    () => ({ status: 401, body: unauthorized }),
  );
  const bridge = new BridgeProcess(at(url));
  const { result } = await bridge.ask("tools/call", { name: "agent_list", _meta: envelope });
  expect(result).toMatchObject({ isError: true, resultType: "complete", structuredContent: unauthorized.error });
});

test("[BR17] a credentials file that others can read is not used", async () => {
  const { url } = await startScript(({ id }, pipe) => pipe.say(reply(id, "")));
  const home = at(url);
  writeCredentials(home, { default: "cdk_default" }, 0o644);
  const { result } = await new BridgeProcess(home).call("agent_list");
  expect(result?.["structuredContent"]).toMatchObject({
    code: "UNAUTHORIZED",
    message: expect.stringContaining("chmod 600"),
  });
});

test("[BR16] what no header can carry is refused as a token, not as a server that is gone", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) => pipe.say(reply(id, "")));
  const { result } = await new BridgeProcess(at(url, { COVIBE_MCP_TOKEN: "cdk_env\nCopy it now" })).call("agent_list");
  expect(result?.["structuredContent"]).toMatchObject({
    code: "UNAUTHORIZED",
    message: "COVIBE_MCP_TOKEN is not a token: it has spaces or line breaks in it.",
  });
  expect(pipes).toEqual([]);
});

const kept = { default: "cdk_default", agents: { codex: "cdk_codex" } };

test.each([
  { from: "the environment", env: { COVIBE_MCP_TOKEN: "cdk_env", COVIBE_AGENT: "codex" }, token: "cdk_env" },
  { from: "the environment, less the line break", env: { COVIBE_MCP_TOKEN: "cdk_env\n" }, token: "cdk_env" },
  { from: "the agent's entry", env: { COVIBE_AGENT: "codex" }, token: "cdk_codex" },
  { from: "any entry for a client without one", env: { COVIBE_AGENT: "gemini" }, token: "cdk_codex" },
  {
    from: "the default entry for the home's own server",
    env: { COVIBE_AGENT: "gemini" },
    own: true,
    token: "cdk_default",
  },
  {
    from: "the default entry where the home has no server of its own",
    env: {},
    kept: { default: "cdk_default" },
    token: "cdk_default",
  },
  {
    from: "nowhere where the default entry is that of the home's own server",
    env: {},
    kept: { default: "cdk_default" },
    hasStore: true,
    token: undefined,
  },
  {
    from: "the default entry where the agent's is another server's",
    env: { COVIBE_AGENT: "codex" },
    own: true,
    foreign: { codex: "cdk_codex" },
    token: "cdk_default",
  },
  {
    from: "what the server itself gave",
    env: { COVIBE_AGENT: "codex" },
    given: { codex: "cdk_here" },
    token: "cdk_here",
  },
  {
    from: "what the server gave another client",
    env: { COVIBE_AGENT: "gemini" },
    given: { codex: "cdk_here" },
    token: "cdk_here",
  },
  {
    from: "nowhere where only another server gave one",
    env: { COVIBE_AGENT: "codex" },
    foreign: { codex: "cdk_there" },
    token: undefined,
  },
])("[BR16, BR43] the token comes from $from", async ({ env, own, given, foreign, hasStore, token, ...more }) => {
  const { url, pipes } = await startScript(({ id }, pipe) => pipe.say(reply(id, "")));
  const home = at(url, env);
  const servers = {
    ...(given && { [url]: { agents: given } }),
    ...(foreign && { "https://deck.example": { agents: foreign } }),
  };
  const isBound = given !== undefined || foreign !== undefined;
  writeCredentials(home, { ...(more.kept ?? kept), ...(isBound && { servers }) }, 0o600);
  if (own === true)
    writeFileSync(join(home.dir, "server.json"), JSON.stringify({ pid: 1, url, version: "1", secret: "s" }));
  if (hasStore === true) writeFileSync(join(home.dir, "crewdeck.db"), "");
  await new BridgeProcess(home).call("agent_list");
  expect(pipes[0]?.headers.authorization).toBe(token === undefined ? undefined : `Bearer ${token}`);
});

test("[BR44] without an address in the entry the server of the repository is used", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) => pipe.say(reply(id, "")));
  const home = openHome();
  const userHome = home.env["HOME"] ?? "";
  const repository = join(userHome, "shop");
  mkdirSync(join(userHome, ".covibe"));
  mkdirSync(repository);
  writeFileSync(join(userHome, ".covibe", "repos.json"), JSON.stringify([{ path: repository, base_url: `${url}/` }]));
  await new BridgeProcess(home, ["--repo", repository]).call("agent_list");
  expect(pipes).toHaveLength(1);
});

test("[BR18] the choices of the command line go with every connection", async () => {
  const { url, pipes } = await startScript(({ id }, pipe) => pipe.say(reply(id, "")));
  const args = ["--tools", "core,agent_get", "--exclude", "message_send", "--read-only", "--repo", "/srv/söme code"];
  await new BridgeProcess(at(url), args).call("agent_list");
  await new BridgeProcess(at(url)).call("agent_list");
  const chosen = pipes.map(({ headers }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("x-crewdeck"))),
  );
  const key = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(chosen).toEqual([
    {
      "x-crewdeck-connection": key,
      "x-crewdeck-tools": "core,agent_get",
      "x-crewdeck-exclude": "message_send",
      "x-crewdeck-read-only": "1",
      "x-crewdeck-repo": "/srv/s%C3%B6me%20code",
    },
    { "x-crewdeck-connection": key, "x-crewdeck-repo": encodeURI(process.cwd()) },
  ]);
});

function writeCredentials(home: TestHome, credentials: object, mode: number): void {
  mkdirSync(home.dir, { recursive: true });
  writeFileSync(join(home.dir, "credentials.json"), JSON.stringify(credentials), { mode });
}
