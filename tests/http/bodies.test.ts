import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { slowCalls, slowTools } from "../mcp/slow-tools.ts";
import { type Ask, ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";
import { useServer } from "./server.ts";

const server = useServer();
const tool = "/api/tools/agent_list";
const tooLarge = `{"a":"${"x".repeat(8 * 1024 * 1024)}"}`;

test.each<[string, Ask, number]>([
  ["broken JSON", { body: "{" }, 400],
  ["a text", { body: '"text"' }, 400],
  ["a list", { body: "[]" }, 400],
  ["JSON called text", { body: "{}", headers: { "content-type": "text/plain" } }, 415],
  ["a form", { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }, 415],
  ["a form with files", { body: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } }, 415],
  ["JSON of another kind", { body: "{}", headers: { "content-type": "application/json-patch+json" } }, 415],
  ["a compressed body", { body: gzipSync("{}"), headers: { "content-encoding": "gzip" } }, 415],
  ["more than 8 MiB", { body: tooLarge }, 413],
])("[HT13] %s is refused", async (_what, options, status) => {
  const answer = await ask(server, "POST", tool, options);
  expect(answer.status).toBe(status);
  expect(answer.json()).toMatchObject({ ok: false, error: { code: "INVALID_REQUEST" } });
});

test("[HT13] whoever sends far too much is heard to the end, told so, and goes on over the same connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const send = (body: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
      const request = httpRequest(`${server.url}${tool}`, { method: "POST", headers, agent }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode));
      });
      request.on("socket", (socket) => sockets.add(socket)).on("error", reject);
      request.end(body);
    });
  expect(await send(`{"a":"${"x".repeat(30 * 1024 * 1024)}"}`)).toBe(413);
  expect(await send("{")).toBe(400);
  expect(await send("{}")).toBe(200);
  expect(sockets.size).toBe(1);
  agent.destroy();
});

test("[HT13] a content type with parameters is still JSON", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  expect((await ask(server, "POST", tool, { body: "{}", headers })).status).toBe(200);
});

test("[HT13] a body of many chunks without a length is refused while it is read", async () => {
  const outcome = await new Promise<string>((resolve) => {
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const request = httpRequest(`${server.url}${tool}`, { method: "POST", headers, agent: false }, (response) => {
      response.resume();
      resolve(String(response.statusCode));
      request.destroy();
    });
    // The server does not wait for the rest, so the refusal may be lost with the connection.
    request.on("error", () => resolve("closed"));
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const write = (left: number): void => {
      if (left > 0 && request.writable) request.write(chunk, () => write(left - 1));
    };
    write(1_000);
  });
  expect(["413", "closed"]).toContain(outcome);
  expect((await ask(server, "POST", tool, { body: {} })).status).toBe(200);
});

test("[HT17] a client that hangs up before the answer has cancelled its call", async () => {
  const own = await openServer({ tools: slowTools });
  const call = httpRequest(`${own.url}/api/tools/slow_write`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.token}`, "content-type": "application/json" },
    agent: false,
  });
  call.on("error", () => undefined);
  const isUnderWay = once(slowCalls, "slow_write");
  call.end(JSON.stringify({ ms: 20_000, name: "Half made" }));
  await isUnderWay;
  call.destroy();

  const { agents } = await callTool<{ agents: unknown[] }>(own, "agent_list");
  expect(agents).toEqual([]);
  await expect
    .poll(async () => (await own.house.entries("usage")).map((entry) => entry.data["code"]))
    .toContain("CANCELLED");
});
