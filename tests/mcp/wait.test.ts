import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { letPass, until } from "../../src/testing/waiting.ts";
import { BridgeProcess, type Frame } from "../bridge/bridge-process.ts";
import { endProcess, ensureBuilt, openHome } from "../cli/program.ts";
import { everyTool } from "../contract/parts.ts";
import { callTool } from "../http/raw.ts";
import { type OpenServer, openServer } from "../http/routes.ts";
import { serveHouse } from "../http/server.ts";
import { beginWait, type Waited } from "../team/wait-scene.ts";
import { connectHttp, ways } from "./clients.ts";

beforeAll(ensureBuilt);

const waitingOn = (house: TestHouse, count = 1) => until(() => house.house.waiting.count === count);

const letter = (sender_id: string, recipient_id: string, subject = "Hello") => ({
  sender_id,
  recipient_id,
  message_type: "query",
  subject,
  body: "Which files?",
});

const send = (house: TestHouse, ben: string, ada: string, subject?: string) =>
  house.call("message_send", letter(ben, ada, subject));

const answerIn = ({ result }: Frame): Waited => result?.["structuredContent"] as Waited;

async function bridgeTo(server: { url: string; token: string }, name = "test"): Promise<BridgeProcess> {
  const home = openHome();
  const env = { ...home.env, COVIBE_BASE_URL: server.url, COVIBE_MCP_TOKEN: server.token };
  const bridge = new BridgeProcess({ ...home, env });
  await bridge.initialize("2025-11-25", name);
  return bridge;
}

async function registered(bridge: BridgeProcess, name: string): Promise<string> {
  const { result } = await bridge.call("agent_register", { name, runtime: "custom" });
  return (result?.["structuredContent"] as { id: string }).id;
}

const wordsOf = ({ news }: Waited) => news.map(({ words }) => words);

test.each([
  "claude-code",
  "codex-mcp-client",
  "cursor",
])("[WA24] %s is listed a tool with which an agent waits", async (name) => {
  const server = await openServer();
  const bridge = await bridgeTo(server, name);
  const listed = (await bridge.ask("tools/list", {})).result?.["tools"] as { name: string; inputSchema: unknown }[];
  const session = listed.find((tool) => tool.name === "covibe_session");
  expect(session?.inputSchema).toMatchObject({
    properties: { operation: { enum: expect.arrayContaining(["wait"]) }, session_id: {} },
  });
  const [ada, ben] = [await registered(bridge, "Ada"), await server.house.agent("Ben")];
  const waiting = bridge.call("covibe_session", { operation: "wait", session_id: ada });
  await waitingOn(server.house);
  await send(server.house, ben, ada);
  expect((await waiting).result?.["structuredContent"]).toMatchObject({
    status: "ok",
    message: "Something concerns you.",
    data: { ended: "news", news: [{ kind: "message", words: "Hello" }], cursor: expect.any(String) },
  });
});

test("[WA1, WA20, WA22] the story over two bridges: Ada waits for three minutes, Ben answers, and each hears it once", async () => {
  const server = await openServer();
  const { house } = server;
  const [one, two] = [await bridgeTo(server), await bridgeTo(server)];
  const [ada, ben] = [await registered(one, "Ada"), await registered(two, "Ben")];
  const waiting = one.call("wait", { timeout_seconds: 1_000 });
  await waitingOn(house);
  house.clock.advance(180_000);
  await house.sweep();
  expect(await house.call("agent_get", { id: ada })).toMatchObject({ status: "online" });
  await two.call("message_send", letter(ben, ada));
  const first = answerIn(await waiting);
  expect(first).toMatchObject({ ended: "news", news: [{ kind: "message", words: "Hello" }] });
  const second = one.call("wait", { cursor: first.cursor });
  await waitingOn(house);
  await two.call("message_send", letter(ben, ada, "Again"));
  expect(wordsOf(answerIn(await second))).toEqual(["Again"]);
});

test("[WA20] a connection with several agents says which one waits", async () => {
  const server = await openServer();
  const bridge = await bridgeTo(server);
  const [ada] = [await registered(bridge, "Ada"), await registered(bridge, "Ben")];
  expect((await bridge.call("wait", { timeout_seconds: 0 })).result).toMatchObject({
    isError: true,
    structuredContent: { code: "INVALID_REQUEST", hint: expect.stringContaining("agent_id") },
  });
  expect(answerIn(await bridge.call("wait", { timeout_seconds: 0, agent_id: ada }))).toMatchObject({ news: [] });
});

describe.each(ways)("over $name", ({ connect }) => {
  test("[WA1, WA30] it ends with what comes, and its limit is the client's", async () => {
    const server = await openServer();
    const { house } = server;
    const [ada, ben] = [await house.agent("Ada"), await house.agent("Ben")];
    const client = await connect(server, { name: "opencode" });
    const call = async (args: Record<string, unknown>) =>
      (await client.callTool({ name: "wait", arguments: args })).structuredContent as unknown as Waited;
    const waiting = call({ agent_id: ada, timeout_seconds: 1_500 });
    await waitingOn(house);
    await send(house, ben, ada);
    expect(await waiting).toMatchObject({ ended: "news", limit_seconds: 25, news: [{ words: "Hello" }] });
  });

  test("[WA6] a client that gives up frees its place", async () => {
    const server = await openServer();
    const { house } = server;
    const ada = await house.agent("Ada");
    const client = await connect(server, {});
    const controller = new AbortController();
    const ask = { name: "wait", arguments: { agent_id: ada } };
    const waiting = client.callTool(ask, { signal: controller.signal }).then(
      () => "answered",
      () => "given up",
    );
    await waitingOn(house);
    controller.abort();
    expect(await waiting).toBe("given up");
    await waitingOn(house, 0);
  });
});

test("[WA1, WA30] over plain HTTP, at the address of every tool and through call_tool", async () => {
  const server = await openServer();
  const { house } = server;
  const [ada, ben] = [await house.agent("Ada"), await house.agent("Ben")];
  const waiting = callTool<Waited>(server, "wait", { agent_id: ada });
  await waitingOn(house);
  await send(house, ben, ada);
  const first = await waiting;
  expect(first).toMatchObject({ ended: "news", limit_seconds: 50 });
  const args = { name: "wait", arguments: { agent_id: ada, cursor: first.cursor, timeout_seconds: 1_500 } };
  const second = callTool<Waited>(server, "call_tool", args);
  await waitingOn(house);
  await send(house, ben, ada, "Again");
  expect(await second).toMatchObject({ limit_seconds: 1_500, news: [{ words: "Again" }] });
});

test("[WA30] never longer than the tool's own limit", async () => {
  const server = await openServer({ settings: { toolTimeoutsMs: {}, timeoutMs: 5_000, checksReplies: true } });
  const { house } = server;
  const [ada, ben] = [await house.agent("Ada"), await house.agent("Ben")];
  await send(house, ben, ada);
  expect(await house.call("wait", { agent_id: ada })).toMatchObject({ limit_seconds: 4 });
});

describe("when the server ends", () => {
  async function openWith(server: OpenServer): Promise<{ bridge: BridgeProcess; ada: string; ben: string }> {
    const bridge = await bridgeTo(server);
    return { bridge, ada: await registered(bridge, "Ada"), ben: await server.house.agent("Ben") };
  }

  async function reopen(server: OpenServer): Promise<TestHouse> {
    const next = await openTestHouse("sqlite", { location: server.house.location, tools: everyTool });
    const again = await serveHouse(next.house, server.token, [], Number(new URL(server.url).port));
    onTestFinished(() => again.close());
    return next;
  }

  test("[WA7, WA10] every wait is answered with its cursor, and goes on from it at the next server", async () => {
    const server = await openServer();
    const { house } = server;
    const { bridge, ada, ben } = await openWith(server);
    const http = await connectHttp(server, { era: "legacy" });
    const overHttp = http.callTool({ name: "wait", arguments: { agent_id: ben } });
    const waiting = bridge.call("wait", { agent_id: ada });
    await waitingOn(house, 2);
    const plain = await beginWait(house, {});
    await server.close();
    const stopped = answerIn(await waiting);
    expect(stopped).toMatchObject({ ended: "stopping", news: [], next: expect.stringContaining("cursor") });
    expect((await overHttp).structuredContent).toMatchObject({ ended: "stopping" });
    expect(await plain[0]).toMatchObject({ ended: "stopping" });
    await send(house, ben, ada);
    await house.house.close();
    const next = await reopen(server);
    const { cursor } = stopped;
    expect(wordsOf(answerIn(await bridge.call("wait", { agent_id: ada, cursor })))).toEqual(["Hello"]);
    expect(next.house.waiting.count).toBe(0);
  });

  test("[WA12, WA10] killed again and again, a server loses nothing and tells nothing twice", async () => {
    const home = openHome();
    const [one, two] = [new BridgeProcess(home), new BridgeProcess(home)];
    await Promise.all([one.initialize(), two.initialize()]);
    const [ada, ben] = [await registered(one, "Ada"), await registered(two, "Ben")];
    const heard: (string | null)[] = [];
    let cursor: string | undefined;
    for (let round = 0; round < 5; round += 1) {
      // Every other time without a cursor: then the server knows where the agent was.
      const place = round % 2 === 0 || cursor === undefined ? {} : { cursor };
      const waiting = one.call("wait", { agent_id: ada, ...place });
      const sending = two.call("message_send", letter(ben, ada, `Number ${round}`));
      await letPass(randomInt(60), "the server dies at any moment");
      const { pid } = JSON.parse(readFileSync(join(home.dir, "server.json"), "utf8")) as { pid: number };
      endProcess(pid);
      const waited = answerIn(await waiting);
      await sending;
      heard.push(...wordsOf(waited));
      cursor = waited.cursor;
      if (waited.news.length === 0) round -= 1;
    }
    expect(heard).toEqual(Array.from({ length: 5 }, (_, round) => `Number ${round}`));
  });
});
