import { describe, expect, test } from "vitest";
import { coreCeiling } from "../../src/contract/listing.ts";
import { schemaVersion, toolVersion } from "../../src/contract/versions.ts";
import { capabilityBlock } from "../../src/transports/mcp/identity.ts";
import { published, useServer } from "../http/server.ts";
import { payloadOf, ways } from "./clients.ts";
import { modernMeta, RawPipe } from "./pipe.ts";
import { postMcp } from "./post.ts";

const server = useServer();

describe.each(ways)("the official client, $name", ({ name: way, connect }) => {
  test("[MC1] connects, lists and calls", async () => {
    const client = await connect(server);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...published.tools.filter(({ isCore }) => isCore).map(({ name }) => name),
      ...published.helpers.map(({ name }) => name),
    ]);
    const made = await client.callTool({ name: "agent_register", arguments: { name: way, runtime: "codex" } });
    expect(payloadOf(made)).toEqual({ id: expect.stringMatching(/^ag_/), name: way, status: "online" });
  });

  test("[MC3] is told the versions and capabilities of this server, and how to begin", async () => {
    const client = await connect(server);
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      experimental: { crewdeck: { schemaVersion, toolVersion, capabilities: capabilityBlock } },
    });
    expect(client.getServerVersion()).toMatchObject({ name: "crewdeck", version: toolVersion });
    expect(client.getInstructions()).toBe(published.instructions);
  });

  test("[MC4] gets the same list before and after calls", async () => {
    const client = await connect(server, { query: "?tools=all" });
    const before = await client.listTools();
    await client.callTool({ name: "agent_register", arguments: { name: "Odd <tool>", runtime: "codex" } });
    await client.callTool({ name: "no_such_tool", arguments: {} }).catch(() => undefined);
    expect((await client.listTools()).tools).toEqual(before.tools);
    expect(before.tools).toEqual(published.tools.map(({ entry }) => entry));
  });
});

describe("the handshake", () => {
  test.each([
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
  ])("[MC2] %s is spoken as asked", async (revision) => {
    const pipe = await RawPipe.open(server);
    expect((await pipe.handshake(revision)).result?.["protocolVersion"]).toBe(revision);
    expect((await pipe.callTool(1, "agent_list")).result).toMatchObject({
      structuredContent: { agents: expect.any(Array) },
    });
    pipe.close();
  });

  test.each([
    "1999-01-01",
    "2024-10-07",
    "2026-07-28",
    "2099-12-31",
    "x",
  ])("[MC2] %s is answered with the newest", async (revision) => {
    const pipe = await RawPipe.open(server);
    expect((await pipe.handshake(revision)).result?.["protocolVersion"]).toBe("2025-11-25");
    pipe.close();
  });

  test("[MC3] the stateless era is told the same without a handshake, and how long it may keep it", async () => {
    const pipe = await RawPipe.open(server);
    const { result } = await pipe.request(1, "server/discover", { _meta: modernMeta });
    expect(result).toMatchObject({
      capabilities: { experimental: { crewdeck: { schemaVersion, toolVersion, capabilities: capabilityBlock } } },
      instructions: published.instructions,
      ttlMs: 300_000,
      cacheScope: "public",
    });
    expect((await pipe.request(2, "tools/list", { _meta: modernMeta })).result).toMatchObject({
      ttlMs: 300_000,
      cacheScope: "public",
    });
    pipe.close();
  });

  test("[LS2] the whole result of the core list stays under its ceiling, in both eras", async () => {
    const legacy = await RawPipe.open(server);
    await legacy.handshake();
    const modern = await RawPipe.open(server);
    for (const { result } of [
      await legacy.request(1, "tools/list"),
      await modern.request(1, "tools/list", { _meta: modernMeta }),
    ]) {
      expect(result?.["tools"]).toHaveLength(
        published.tools.filter(({ isCore }) => isCore).length + published.helpers.length,
      );
      expect(JSON.stringify(result).length / 4).toBeLessThanOrEqual(coreCeiling);
    }
    legacy.close();
    modern.close();
  });

  test("[MC4] clients that load schemas on demand are shown everything", async () => {
    const [{ connect }] = ways;
    const client = await connect(server, { name: "claude-code" });
    expect((await client.listTools()).tools).toHaveLength(published.tools.length);
  });
});

describe("requests", () => {
  test.each([0, 1, -5, Number.MAX_SAFE_INTEGER, "text", "0", ""])("[MC5] the id %j comes back", async (id) => {
    const pipe = await RawPipe.open(server);
    await pipe.handshake();
    expect(await pipe.request(id, "ping")).toEqual({ jsonrpc: "2.0", id, result: {} });
    expect(await postMcp(server, { jsonrpc: "2.0", id, method: "ping" })).toMatchObject({
      message: { id, result: {} },
    });
    pipe.close();
  });

  const unknown = ["nothing", "resources/list", "prompts/get", "tools/delete", "$/cancelRequest", "__proto__", ""];
  test.each(unknown)("[MC6, MC7] the method %j is refused with -32601", async (method) => {
    const pipe = await RawPipe.open(server);
    await pipe.handshake();
    const modern = await RawPipe.open(server);
    await modern.request(0, "tools/list", { _meta: modernMeta });
    const answers = [
      await pipe.request(1, method),
      await modern.request(1, method, { _meta: modernMeta }),
      (await postMcp(server, { jsonrpc: "2.0", id: 1, method })).message,
    ];
    for (const { id, error } of answers) {
      expect({ id, code: error?.code, data: error?.data }).toMatchObject({
        id: 1,
        code: -32601,
        data: { code: "NOT_FOUND" },
      });
    }
    pipe.close();
    modern.close();
  });

  test.each([
    ["tools/list", { cursor: 5 }],
    ["initialize", {}],
    ["initialize", { protocolVersion: 1, capabilities: {}, clientInfo: {} }],
    ["tools/list", { _meta: { progressToken: {} } }],
    ["tools/call", { name: "agent_list", _meta: { "io.modelcontextprotocol/related-task": 1 } }],
  ])("[MC7] %s with params that do not fit is refused with -32602: %j", async (method, params) => {
    const pipe = await RawPipe.open(server);
    await pipe.handshake();
    const { error } = await pipe.request(1, method, params);
    expect(error).toMatchObject({ code: -32602, data: { code: "INVALID_REQUEST" } });
    expect(error?.message).not.toContain("\n");
    pipe.close();
  });
});
