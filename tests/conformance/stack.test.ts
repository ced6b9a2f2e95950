import { expect, onTestFinished, test } from "vitest";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import type { EndpointOptions } from "../../src/transports/mcp/endpoint.ts";
import { type FixtureServer, startFixtureServer } from "./fixture-server.ts";
import { makeFixtureServer } from "./fixtures/server.ts";
import { jsonHeaders, openSession, post, postAs, postModern, readEvents } from "./wire.ts";

const ping = { jsonrpc: "2.0", id: 2, method: "ping" };

test("[CF4] what comes from a page of another origin is refused before it is read", async () => {
  const { server } = await open();
  const { host } = new URL(server.url);
  const statusOf = async (headers: Record<string, string>) => (await postAs(server.url, headers)).statusCode;

  expect(await statusOf({ host: "rebound.example.com" })).toBe(403);
  expect(await statusOf({ host, origin: "http://rebound.example.com" })).toBe(403);
  expect(await statusOf({ host, origin: `http://${host}` })).toBe(200);
});

test("[CF4] a body that is too large, too deep or not JSON is refused", async () => {
  const { server, known } = await open();
  const statusOf = async (body: string) =>
    (await fetch(server.url, { method: "POST", headers: { ...jsonHeaders, ...known }, body })).status;

  expect(await statusOf(`"${"x".repeat(8 * 1024 * 1024)}"`)).toBe(413);
  expect(await statusOf("[".repeat(200) + "]".repeat(200))).toBe(400);
  expect(await statusOf('{"__proto__": {}}')).toBe(400);
  expect(await statusOf("{")).toBe(400);
});

test("[CF4] answers carry the headers that keep a browser from guessing", async () => {
  const { server } = await open();
  const response = await postModern(server.url, "tools/call", { name: "test_simple_text", arguments: {} });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("[CF5] a body of just under 8 MiB reaches the tool in both eras", async () => {
  const { server, known } = await open();
  const call = { name: "json_schema_2020_12_tool", arguments: { name: "x".repeat(8 * 1024 * 1024 - 1_000) } };

  const session = await openSession(server.url);
  const ask = { jsonrpc: "2.0", id: 2, method: "tools/call", params: call };
  const legacy = await post(server.url, ask, { "mcp-session-id": session, ...known });
  expect((await legacy.text()).length).toBeGreaterThan(call.arguments.name.length);

  const modern = await postModern(server.url, "tools/call", call, { headers: known });
  expect((await modern.text()).length).toBeGreaterThan(call.arguments.name.length);
});

test("[CF6] a session answers to whoever opened it and does not exist for others", async () => {
  const principalOf: EndpointOptions["principalOf"] = ({ headers }) => String(headers["x-principal"]);
  const { server } = await open({ principalOf });
  const session = { "mcp-session-id": await openSession(server.url, { "x-principal": "ada" }) };
  const statusOf = async (headers: Record<string, string>) => (await post(server.url, ping, headers)).status;

  expect(await statusOf({ ...session, "x-principal": "ada" })).toBe(200);
  expect(await statusOf({ ...session, "x-principal": "bob" })).toBe(404);
  expect(await statusOf({ "mcp-session-id": "unknown", "x-principal": "ada" })).toBe(404);

  await server.endpoint.endSessionsOf("ada");
  expect(await statusOf({ ...session, "x-principal": "ada" })).toBe(404);
  expect(server.endpoint.sessionCount).toBe(0);
});

test("[CF7] a session nobody used for half an hour is ended, one with a listening client is not", async () => {
  const { server, clock } = await open();
  await openSession(server.url);
  const listening = await openSession(server.url);
  const leave = new AbortController();
  const headers = { accept: "text/event-stream", "mcp-session-id": listening };
  const stream = await fetch(server.url, { headers, signal: leave.signal });
  expect(stream.status).toBe(200);

  clock.advance(30 * 60_000 + 1);
  await server.endpoint.endIdleSessions();
  expect(server.endpoint.sessionCount).toBe(1);
  expect((await post(server.url, ping, { "mcp-session-id": listening })).status).toBe(200);

  leave.abort();
  await expect
    .poll(async () => {
      clock.advance(30 * 60_000 + 1);
      await server.endpoint.endIdleSessions();
      return server.endpoint.sessionCount;
    })
    .toBe(0);
});

test("[CF8] a subscription stays open until the server closes, which then completes it", async () => {
  const { server } = await open();
  const response = await postModern(server.url, "subscriptions/listen", {
    notifications: { resourceSubscriptions: ["test://watched-resource"] },
  });
  const received: Record<string, unknown>[] = [];
  const ended = readEvents(response, (message) => received.push(message));

  await expect.poll(() => received.length).toBe(1);
  await server.close();
  await ended;
  expect(received).toMatchObject([
    { method: "notifications/subscriptions/acknowledged" },
    { id: 1, result: { resultType: "complete" } },
  ]);
});

test("[CF9] a client of the stateless era that hangs up cancels its call", async () => {
  const calls: AbortSignal[] = [];
  const { server } = await open({
    makeServer: () => {
      const fixture = makeFixtureServer();
      fixture.setRequestHandler("tools/call", (_request, { mcpReq }) => {
        calls.push(mcpReq.signal);
        return new Promise(() => undefined);
      });
      return fixture;
    },
  });
  const hangUp = new AbortController();
  const call = postModern(
    server.url,
    "tools/call",
    { name: "test_simple_text", arguments: {} },
    { signal: hangUp.signal },
  );
  await expect.poll(() => calls.length).toBe(1);

  hangUp.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => calls[0]?.aborted).toBe(true);
});

async function open(
  overrides: Partial<EndpointOptions> = {},
): Promise<{ server: FixtureServer; clock: TestHouse["clock"]; known: { authorization: string } }> {
  const { house, clock, ownerToken } = await openTestHouse("sqlite");
  const server = await startFixtureServer(house, overrides);
  onTestFinished(() => server.close());
  // Of whom nobody knows only small bodies are read.
  return { server, clock, known: { authorization: `Bearer ${ownerToken}` } };
}
