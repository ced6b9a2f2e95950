import { describe, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { addToken, ask } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { type TestServer, useServer } from "../http/server.ts";
import { PipeRefused, RawPipe } from "./pipe.ts";
import { postMcp } from "./post.ts";

const server = useServer();
const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

const openSession = async (at: Pick<TestServer, "url" | "token">, token?: string): Promise<string> => {
  const opened = await postMcp(
    at,
    { jsonrpc: "2.0", id: 0, method: "initialize", params: handshake },
    token ? { token } : {},
  );
  expect(opened.status).toBe(200);
  return String(opened.headers["mcp-session-id"]);
};

const inSession = (id: string) => ({ headers: { "mcp-session-id": id } });

describe("sessions", () => {
  test("[MC80] a handshake opens a session of its own, and DELETE ends it", async () => {
    const [one, two] = [await openSession(server), await openSession(server)];
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(one).not.toBe(two);
    expect((await postMcp(server, ping, inSession(one))).message.result).toEqual({});
    expect((await ask(server, "DELETE", "/mcp", inSession(one))).status).toBe(200);
    expect((await postMcp(server, ping, inSession(one))).status).toBe(404);
    expect((await postMcp(server, ping, inSession(two))).status).toBe(200);
  });

  test("[MC80] the count of sessions is seen in the status", async () => {
    const own = await openServer();
    const id = await openSession(own);
    const count = async () =>
      (await ask(own, "GET", "/status")).json<{ result: { status: { connections: object } } }>().result.status
        .connections;
    expect(await count()).toEqual({ mcp_sessions: 1, pipes: 0, live: 0 });
    await ask(own, "DELETE", "/mcp", inSession(id));
    expect(await count()).toEqual({ mcp_sessions: 0, pipes: 0, live: 0 });
  });

  test("[MC80] a session answers nobody but the token that opened it", async () => {
    const other = await addToken(server, { label: "other" });
    const id = await openSession(server);
    for (const method of ["POST", "GET", "DELETE"]) {
      const body = method === "POST" ? ping : undefined;
      const accept = method === "GET" ? "text/event-stream" : "application/json, text/event-stream";
      const answer = await ask(server, method, "/mcp", {
        token: other.token,
        headers: { "mcp-session-id": id, accept },
        body,
      });
      expect(answer.status).toBe(404);
    }
    expect((await postMcp(server, ping, inSession(id))).status).toBe(200);
  });

  test("[MC82] beyond a thousand sessions the longest unused one of the same token goes", async () => {
    const own = await openServer();
    const other = await addToken(own, { label: "other" });
    const foreign = await openSession(own, other.token);
    const first = await openSession(own);
    const second = await openSession(own);
    const usedAt = Date.now();
    await until(() => Date.now() > usedAt);
    await postMcp(own, ping, inSession(first));
    for (let count = 2; count < 1_001; count += 1) await openSession(own);
    expect((await postMcp(own, ping, inSession(first))).status).toBe(200);
    expect((await postMcp(own, ping, inSession(second))).status).toBe(404);
    expect((await postMcp(own, ping, { ...inSession(foreign), token: other.token })).status).toBe(200);
  });
});

describe("who may open them", () => {
  test("[MC81] a cookie opens neither /mcp nor the pipe", async () => {
    const signedIn = await ask(server, "POST", "/api/login", { token: null, body: { token: server.token } });
    const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    const headers = { cookie, origin: server.url };
    expect((await ask(server, "GET", "/api/me", { token: null, headers })).status).toBe(200);
    expect((await postMcp(server, ping, { token: null, headers })).status).toBe(401);
    const refused = RawPipe.open(server, { token: null, headers });
    await expect(refused).rejects.toBeInstanceOf(PipeRefused);
    await expect(refused).rejects.toMatchObject({ status: 401 });
  });
});
