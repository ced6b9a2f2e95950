import { request as httpRequest, type IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { modernMeta, RawPipe } from "../mcp/pipe.ts";
import { postMcp, postModern } from "../mcp/post.ts";
import { LiveClient } from "./live-client.ts";
import { addToken, ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";
import { startTestServer, type TestServer } from "./server.ts";

const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

/** A stream that stays open; resolves with how long it took to end, or fails if it does not open. */
async function openWorkstream(
  server: Pick<TestServer, "url">,
  method: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<{ ended: Promise<void> }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(`${server.url}/mcp`, { method, headers, agent: false }, resolve);
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toContain("text/event-stream");
  response.resume();
  response.on("error", () => undefined);
  return { ended: new Promise((resolve) => void response.once("close", () => resolve())) };
}

/** Everything a token can hold open at once. */
async function openEverything(server: TestServer, token: string) {
  const auth = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const live = await LiveClient.open(server, {}, token);
  const pipe = await RawPipe.open(server, { token });
  await pipe.handshake();
  const opened = await postMcp(server, { jsonrpc: "2.0", id: 0, method: "initialize", params: handshake }, { token });
  const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  const standing = await openWorkstream(server, "GET", { ...auth, ...session, accept: "text/event-stream" });
  const listen = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { notifications: {}, _meta: modernMeta },
  };
  const subscribed = await openWorkstream(
    server,
    "POST",
    {
      ...auth,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
    listen,
  );
  return { live, pipe, session, ends: [live.closed, pipe.closed, standing.ended, subscribed.ended] };
}

describe("the end", () => {
  test.each([
    "sqlite",
    "postgres",
  ] as const)("[LV30] all that a revoked token holds open ends within two seconds on %s", async (store) => {
    const server = await openServer({ store });
    const [gone, kept] = [await addToken(server, { label: "gone" }), await addToken(server, { label: "kept" })];
    const mine = await openEverything(server, gone.token);
    const others = await openEverything(server, kept.token);

    const revokedAt = performance.now();
    await callTool(server, "token_revoke", { id: gone.tokenId });
    const refused = await Promise.all([
      ask(server, "POST", "/api/tools/agent_list", { token: gone.token, body: {} }),
      ask(server, "POST", "/api/mcp", { token: null, body: { tool: "agent_list", token: gone.token } }),
      ask(server, "GET", "/status/stream", { token: gone.token }),
      postMcp(server, { jsonrpc: "2.0", id: 1, method: "ping" }, { token: gone.token, headers: mine.session }),
      postModern(server, { id: 1, method: "tools/list" }, { token: gone.token }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    await Promise.all(mine.ends);
    const took = Math.round(performance.now() - revokedAt);
    process.stdout.write(`${store}: everything of a revoked token had ended after ${took} ms\n`);
    expect(await mine.live.closed).toBe(4401);
    await expect(LiveClient.open(server, {}, gone.token)).rejects.toThrow("401");
    await expect(RawPipe.open(server, { token: gone.token })).rejects.toMatchObject({ status: 401 });

    expect((await others.pipe.request(1, "ping")).result).toEqual({});
    expect(
      (await postMcp(server, { jsonrpc: "2.0", id: 1, method: "ping" }, { token: kept.token, headers: others.session }))
        .status,
    ).toBe(200);
    others.live.send({ subscribe: [] });
    await others.live.until(({ event }) => event === "error");
    others.pipe.close();
  });

  test("[LV30] a call under way on a pipe whose token is revoked is the last one", async () => {
    const server = await openServer();
    const { token, tokenId } = await addToken(server);
    const pipe = await RawPipe.open(server, { token });
    await pipe.handshake();
    await callTool(server, "token_revoke", { id: tokenId });
    pipe.send({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "agent_register", arguments: { name: "Late", runtime: "custom" } },
    });
    await pipe.closed;
    expect(await callTool(server, "agent_list")).toEqual({ agents: [] });
  });

  test("[LV31] a stopping server says goodbye and waits for nobody", async () => {
    const server = await startTestServer();
    const everything = await openEverything(server, server.token);
    const silent = await LiveClient.open(server);
    silent.socket.pause();
    await server.close();
    await Promise.all(everything.ends);
    expect(await everything.live.closed).toBe(1001);
  });
});
