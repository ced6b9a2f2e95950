import { describe, expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { Identity } from "../../src/transports/http/identity.ts";
import { openServer } from "../http/routes.ts";
import { RawPipe } from "../mcp/pipe.ts";
import { postMcp, postModern } from "../mcp/post.ts";
import { slowTools } from "../mcp/slow-tools.ts";

const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

describe("many clients on one endpoint", () => {
  test("[SE10] of 200 interleaved clients with the same request ids each gets its own answers", async () => {
    const server = await openServer({ tools: slowTools });
    const tagOf = (message: { result?: Record<string, unknown> }) =>
      (message.result?.["structuredContent"] as { tag?: string } | undefined)?.tag;
    const call = (tag: string) => ({ name: "slow_read", arguments: { ms: Math.floor(Math.random() * 3), tag } });

    const session = async (name: string): Promise<(tag: string, id: number) => Promise<string | undefined>> => {
      const opened = await postMcp(server, {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { ...handshake, name },
      });
      const headers = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
      return async (tag, id) =>
        tagOf(
          (await postMcp(server, { jsonrpc: "2.0", id, method: "tools/call", params: call(tag) }, { headers })).message,
        );
    };
    const stateless = async (): Promise<(tag: string, id: number) => Promise<string | undefined>> => async (tag, id) =>
      tagOf((await postModern(server, { id, method: "tools/call", params: call(tag) })).message);
    const pipe = async (): Promise<(tag: string, id: number) => Promise<string | undefined>> => {
      const open = await RawPipe.open(server);
      await open.handshake();
      return async (tag, id) => tagOf(await open.request(id, "tools/call", call(tag)));
    };

    const makers = [session, stateless, pipe];
    const clients = await Promise.all(
      Array.from({ length: 200 }, (_, client) => (makers[client % 3] ?? session)(`client ${client}`)),
    );
    const crossed: string[] = [];
    await Promise.all(
      clients.map(async (ask, client) => {
        for (let id = 1; id <= 3; id += 1) {
          const tag = `client ${client} call ${id}`;
          const answer = await ask(tag, id);
          if (answer !== tag) crossed.push(`${tag} got ${answer}`);
        }
      }),
    );
    expect(crossed).toEqual([]);
  });
});

describe("a token's budget", () => {
  test("[SE50] beyond its budget a token is refused with 429, and no other", async () => {
    const server = await openServer();
    const { token } = await server.house.developer("grace");
    let now = Date.now();
    const { house } = server.house;
    const identity = new Identity(
      { ...house, sources: { ...house.sources, now: () => now } },
      { isKnown: () => undefined },
    );
    const request = { socket: { remoteAddress: "127.0.0.1" } } as never;
    const identify = (given: string) => identity.identifyToken(given, request);
    for (let count = 0; count < 20_000; count += 1) await identify(server.token);
    await expect(identify(server.token)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { retryAfterSeconds: 1 },
    });
    await expect(identify(server.token)).rejects.toBeInstanceOf(Refusal);
    expect((await identify(token)).handle).toBe("grace");
    now += 1_000;
    expect((await identify(server.token)).handle).toBe(server.house.owner.handle);
  });
});
