import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Catalogue } from "../../src/contract/listing.ts";
import { createHome, crewdeckJson, ensureBuilt, openHome, programFile, serversOf, tokenOf } from "../cli/program.ts";
import { BridgeProcess, contractProgram, envelope, type Frame } from "./bridge-process.ts";
import { malformedLines } from "./malformed-lines.ts";
import { openRawPipe } from "./raw-pipe.ts";

const serving = createHome();
let url = "";
let token = "";

beforeAll(async () => {
  await ensureBuilt();
  ({ url } = await crewdeckJson<{ url: string }>(serving.home, "serve", "--background"));
  token = tokenOf(serving.home);
});
afterAll(serving.close);

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

const catalogue = JSON.parse(readFileSync(join(programFile, "../../contracts/mcp.json"), "utf8")) as Catalogue;

const initialize = (protocolVersion: string, name = "test") => ({
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name, version: "1" } },
});
const initialized = { method: "notifications/initialized" };
const ask = (id: number, method: string, params?: object) => ({ id, method, ...(params ? { params } : {}) });
const modern = (id: number, method: string, params: object = {}) => ask(id, method, { ...params, _meta: envelope });

const unannounced = [
  "resources/list",
  "resources/templates/list",
  "prompts/list",
  "logging/setLevel",
  "completion/complete",
];

/** Openings as real clients make them, and as they must not go wrong. */
const conversations = [
  ...["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2099-01-01"].map((version) => ({
    title: `a handshake of ${version}`,
    frames: [
      initialize(version),
      initialized,
      ask(2, "ping"),
      ask(3, "tools/list"),
      ask(4, "tools/list", { cursor: "x" }),
    ],
  })),
  {
    title: "Claude Code, which may have every tool",
    frames: [initialize("2025-11-25", "claude-code"), ask(2, "tools/list", {})],
  },
  { title: "no handshake at all", frames: [ask(1, "tools/list"), ask(2, "ping"), ask(3, "server/discover")] },
  {
    title: "a second handshake",
    frames: [initialize("2025-06-18"), { ...initialize("2025-11-25"), id: 2 }, ask(3, "ping")],
  },
  {
    title: "methods that are not announced",
    frames: [initialize("2025-06-18"), ...unannounced.map((method, at) => ask(at + 2, method, {}))],
  },
  {
    title: "the stateless era asked for after a handshake",
    frames: [
      initialize("2025-06-18"),
      modern(2, "server/discover"),
      modern(3, "tools/list"),
      modern(4, "subscriptions/listen"),
    ],
  },
  {
    title: "a look, then the stateless era",
    frames: [modern(1, "server/discover"), modern(2, "tools/list"), modern(3, "ping")],
  },
  {
    title: "a look, then a handshake",
    frames: [modern(1, "server/discover"), { ...initialize("2025-11-25"), id: 2 }, ask(3, "tools/list")],
  },
  {
    title: "the stateless era, then what it does not know",
    frames: [
      modern(1, "tools/list"),
      ...unannounced.map((method, at) => modern(at + 2, method)),
      { ...initialize("2025-11-25"), id: 20 },
      modern(21, "initialize"),
      ask(22, "tools/list"),
      ask(23, "server/discover"),
      ask(24, "ping"),
      ask(25, "tools/list", { _meta: { ...envelope, "io.modelcontextprotocol/protocolVersion": "2027-01-01" } }),
    ],
  },
  {
    title: "a revision of the stateless era that does not exist, and an incomplete envelope",
    frames: [
      ask(1, "server/discover", { _meta: { ...envelope, "io.modelcontextprotocol/protocolVersion": "2027-01-01" } }),
      ask(2, "server/discover", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
      modern(3, "tools/list"),
    ],
  },
  {
    title: "a subscription",
    frames: [
      modern(1, "tools/list"),
      modern(2, "subscriptions/listen", { notifications: { toolsListChanged: true } }),
      modern(3, "subscriptions/listen"),
      { method: "notifications/cancelled", params: { requestId: 2, _meta: envelope } },
      modern(4, "tools/list"),
    ],
  },
];

test.each(conversations)("[BR1, BR2] $title: the bridge says what the server would, and starts none", async ({
  frames,
}) => {
  const looking = openHome();
  const expected = await (await openRawPipe(url, token)).exchange(frames);

  const bridge = new BridgeProcess(looking);
  for (const frame of frames) bridge.send(frame);
  expect(await bridge.hangUp()).toBe(0);
  expect(bridge.frames).toEqual(expected);
  expect(existsSync(looking.dir)).toBe(false);
  expect(serversOf(looking.dir)).toEqual([]);
});

test("[BR2] what is no message is refused by the bridge as by the server", async () => {
  const pipe = await openRawPipe(url, token);
  const bridge = new BridgeProcess(openHome());
  for (const { line } of malformedLines) {
    const seen = bridge.frames.length;
    bridge.write(`${line}\n`);
    await bridge.waitFor(() => bridge.frames.length > seen);
    const [{ id, error }, expected] = [bridge.frames[seen] as Frame, await pipe.refusalOf(line)];
    expect([line, id, error?.code, error?.data?.["code"]]).toEqual([
      line,
      expected.id,
      expected.error?.code,
      expected.error?.data?.["code"],
    ]);
  }
});

test.each([
  { asked: "2024-11-05", answered: "2024-11-05" },
  { asked: "2025-06-18", answered: "2025-06-18" },
  { asked: "2024-10-07", answered: "2025-11-25" },
  { asked: "2026-07-28", answered: "2025-11-25" },
  { asked: "anything", answered: "2025-11-25" },
])("[BR3] a handshake for $asked is answered with $answered", async ({ asked, answered }) => {
  const { result } = await new BridgeProcess(openHome()).initialize(asked);
  expect(result).toEqual({
    protocolVersion: answered,
    capabilities: {
      tools: { listChanged: false },
      experimental: {
        crewdeck: {
          schemaVersion: catalogue.schemaVersion,
          toolVersion: catalogue.toolVersion,
          capabilities: expect.any(Object),
        },
      },
    },
    serverInfo: { name: "crewdeck", title: "Crewdeck", version: catalogue.toolVersion },
    instructions: catalogue.instructions,
  });
});

test.each(unannounced)("[BR4] %s is not there", async (method) => {
  const bridge = new BridgeProcess(openHome());
  expect((await bridge.ask(method)).error?.code).toBe(-32601);
});

test("[BR5] a subscription is acknowledged with nothing in it", async () => {
  const bridge = new BridgeProcess(openHome());
  bridge.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
  expect(await bridge.waitFor(() => true)).toEqual({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": 1 } },
  });
  expect(await bridge.hangUp()).toBe(0);
});

const namesListed = async (args: string[], client = "test"): Promise<string[]> => {
  const bridge = new BridgeProcess(openHome(), args);
  await bridge.initialize("2025-11-25", client);
  const { result } = await bridge.ask("tools/list");
  return (result?.["tools"] as { name: string }[]).map(({ name }) => name);
};

test("[BR6] the list follows what was chosen and who asks", async () => {
  const all = catalogue.tools.map(({ name }) => name);
  const reading = catalogue.tools.filter(({ effect }) => effect === "read").map(({ name }) => name);
  expect(await namesListed([])).toContain("find_tools");
  expect(await namesListed([], "claude-code")).toEqual(all);
  expect(await namesListed(["--tools", "all"])).toEqual(all);
  expect(await namesListed(["--tools", "all", "--exclude", "agent_list"])).toEqual(
    all.filter((name) => name !== "agent_list"),
  );
  expect(await namesListed(["--tools=all", "--read-only"])).toEqual(reading);
  expect(await namesListed(["--tools", "agent_get"])).toEqual(["agent_get"]);
});

test("[BR8] covibe-mcp is the same bridge, and what npm run mcp:stdio starts", async () => {
  const bridge = new BridgeProcess(openHome(), ["--tools", "agent_get"], contractProgram);
  await bridge.initialize();
  expect((await bridge.ask("tools/list")).result?.["tools"]).toHaveLength(1);
  const { scripts } = JSON.parse(readFileSync(join(programFile, "../../package.json"), "utf8")) as Manifest;
  expect(scripts["mcp:stdio"]).toBe("node bin/covibe-mcp.js");
});

test.each([
  {
    what: "a handshake without a client",
    frames: [ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} })],
    code: -32602,
  },
  { what: "a handshake without anything", frames: [ask(1, "initialize")], code: -32602 },
  { what: "a number as cursor", frames: [ask(1, "tools/list", { cursor: 7 })], code: -32602 },
  {
    what: "an envelope with a text as client",
    frames: [ask(1, "tools/list", { _meta: { ...envelope, "io.modelcontextprotocol/clientInfo": "x" } })],
    code: -32602,
  },
  {
    what: "an unknown revision of the stateless era",
    frames: [ask(1, "tools/list", { _meta: { ...envelope, "io.modelcontextprotocol/protocolVersion": "2030-01-01" } })],
    code: -32022,
  },
])("[BR9] $what is refused, and a proper one still works", async ({ frames, code }) => {
  const bridge = new BridgeProcess(openHome());
  for (const frame of frames) bridge.send(frame);
  expect((await bridge.answerTo(1)).error?.code).toBe(code);
  bridge.send({ ...initialize("2025-11-25"), id: 2 });
  expect((await bridge.answerTo(2)).result?.["protocolVersion"]).toBe("2025-11-25");
});

test.each([
  { what: "an unknown option", args: ["--nonsense"], says: "nonsense" },
  { what: "an unknown tool", args: ["--tools", "no_such_tool"], says: "no_such_tool" },
  { what: "an unknown exclusion", args: ["--exclude", "no_such_tool"], says: "no_such_tool" },
  { what: "a word too many", args: ["word"], says: "word" },
])("[BR37] $what ends the bridge with 2", async ({ args, says }) => {
  const bridge = new BridgeProcess(openHome(), args);
  expect(await bridge.ended).toBe(2);
  expect(bridge.stderr).toContain(says);
  expect(bridge.frames).toEqual([]);
});

test("[BR7, BR41] a client that only looks has loaded neither the command line nor the server, and no package", async () => {
  const home = openHome();
  // Node lists every file that a process has loaded when it is asked for coverage.
  const folder = join(home.dir, "..", "coverage");
  const bridge = new BridgeProcess({ ...home, env: { ...home.env, NODE_V8_COVERAGE: folder } });
  await bridge.initialize();
  await bridge.ask("tools/list");
  expect(await bridge.hangUp()).toBe(0);
  const [file = ""] = readdirSync(folder);
  const report = JSON.parse(readFileSync(join(folder, file), "utf8")) as { result: { url: string }[] };
  const urls = report.result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  const texts = urls.filter((url) => url.includes("/dist/")).map((url) => readFileSync(new URL(url), "utf8"));
  expect(texts.join("").length).toBeLessThan(100 * 1024);
  expect(urls.filter((url) => url.includes("node_modules"))).toEqual([]);
  // Bundled files say which source each part of them comes from.
  const rooms = texts.flatMap((text) =>
    [...text.matchAll(/^\/\/ src\/(transports\/\w+|\w+)/gm)].map((match) => match[1] ?? ""),
  );
  expect(rooms).toContain("transports/bridge");
  expect(rooms.filter((room) => ["transports/cli", "engine", "tools", "domain", "storage"].includes(room))).toEqual([]);
});
