import { expect, test } from "vitest";
import { schemaVersion, toolVersion } from "../../src/contract/versions.ts";
import { makeRepository } from "../git/scratch.ts";
import { ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";

/** The events of a stream, in order. */
const eventsIn = (text: string) =>
  text
    .trimEnd()
    .split("\n\n")
    .map((part) => {
      const [event = "", data = ""] = part.split("\n");
      return {
        event: event.replace("event: ", ""),
        data: JSON.parse(data.replace("data: ", "")) as Record<string, unknown>,
      };
    });

test("[HT30] health answers the uptime and nothing else", async () => {
  const server = await openServer();
  server.house.clock.advance(5_000);
  const { result } = (await ask(server, "GET", "/health", { token: null })).json<{ result: { uptimeMs: number } }>();
  expect(Object.keys(result)).toEqual(["uptimeMs"]);
  expect(result.uptimeMs).toBeGreaterThanOrEqual(5_000);
});

const status = {
  versions: { schema: schemaVersion, tool: toolVersion },
  pid: process.pid,
  uptimeMs: expect.any(Number),
  store: { dialect: "sqlite", location: expect.stringMatching(/crewdeck\.db$/), readOnlyReason: null },
  connections: { mcp_sessions: 0, pipes: 0, live: 0 },
  agents: expect.anything(),
  repositories: 0,
  ledger: expect.any(Number),
  index: null,
};

test("[HT31] status answers folder, versions, store, connections and counts", async () => {
  const server = await openServer();
  expect((await ask(server, "GET", "/status")).json()["result"]).toEqual({ repo: "/srv/code/shop", status });
});

test("[HT32] the status stream is start, result and done, each in the envelope", async () => {
  const server = await openServer();
  const answer = await ask(server, "GET", "/status/stream");
  expect(answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  const _meta = expect.objectContaining({ schemaVersion, toolVersion, requestId: expect.stringMatching(/^call_/) });
  expect(eventsIn(answer.text)).toEqual([
    { event: "start", data: { ok: true, result: { repo: "/srv/code/shop" }, _meta } },
    { event: "result", data: { ok: true, result: { repo: "/srv/code/shop", status }, _meta } },
    { event: "done", data: { ok: true, result: {}, _meta } },
  ]);
});

test("[HT32] what fails is an error event, and done carries no error", async () => {
  const server = await openServer();
  await ask(server, "GET", "/status");
  // A token stays known for a moment, and the clock stands.
  await server.house.house.store.close();
  const events = eventsIn((await ask(server, "GET", "/status/stream")).text);
  expect(events.map(({ event }) => event)).toEqual(["start", "error", "done"]);
  expect(events[1]?.data).toMatchObject({ ok: false, error: { code: "SERVER_UNREACHABLE", hint: expect.any(String) } });
  expect(events[2]?.data).toMatchObject({ ok: true, result: {} });
});

test("[AR7] status and its stream carry what index_status answers, or its refusal", async () => {
  const server = await openServer();
  const { path } = makeRepository();
  const asked = await ask(server, "POST", "/api/tools/index_status", { body: { repoPath: path } });
  const { result: index } = asked.json<{ result: object }>();
  const address = `?repoPath=${encodeURIComponent(path)}`;
  expect((await ask(server, "GET", `/status${address}`)).json()["result"]).toEqual({
    repo: path,
    status: { ...status, index },
  });
  const [, result] = eventsIn((await ask(server, "GET", `/status/stream${address}`)).text);
  expect(result).toMatchObject({ event: "result", data: { result: { repo: path, status: { index } } } });
  const refused = await ask(server, "GET", "/status?repoPath=/srv/gone");
  expect(refused.status).toBe(400);
  expect(refused.json()).toMatchObject({ ok: false, error: { code: "INVALID_REQUEST" } });
  const events = eventsIn((await ask(server, "GET", "/status/stream?repoPath=/srv/gone")).text);
  expect(events.map(({ event }) => event)).toEqual(["start", "error", "done"]);
});

test("[HT33] metrics are Prometheus text, each metric in one group", async () => {
  const server = await openServer();
  await callTool(server, "agent_list");
  await callTool(server, "agent_list");
  await ask(server, "POST", "/api/tools/agent_list", { body: { limit: 0 } });
  await ask(server, "POST", '/api/tools/"odd', { body: {} });
  const answer = await ask(server, "GET", "/metrics");
  expect(answer.headers["content-type"]).toBe("text/plain; version=0.0.4");
  const lines = answer.text.trimEnd().split("\n");
  expect(lines).toContain('crewdeck_calls_total{tool="agent_list",outcome="ok"} 2');
  expect(lines).toContain('crewdeck_calls_total{tool="agent_list",outcome="INVALID_REQUEST"} 1');
  expect(lines).toContain('crewdeck_calls_total{tool="unknown",outcome="NOT_FOUND"} 1');
  for (const line of lines) {
    expect(line).toMatch(/^(# TYPE crewdeck_[a-z_]+ (gauge|counter)|crewdeck_[a-z_]+(\{[^{}]+\})? [\d.]+)$/);
  }
  const names = lines.map((line) => line.replace("# TYPE ", "").split(/[ {]/)[0]);
  const groups = names.filter((name, place) => name !== names[place - 1]);
  expect(new Set(groups).size).toBe(groups.length);
});
