import { describe, expect, test } from "vitest";
import { cursorOf } from "../../src/domain/ledger/cursor.ts";
import { slowTools } from "../mcp/slow-tools.ts";
import { LiveClient } from "./live-client.ts";
import { ask, callTool } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";

const register = (server: OpenServer, name: string) => server.house.agent(name);
const named = (name: string) => (event: { data: Record<string, unknown> }) => event.data["name"] === name;

/** A subscription takes a moment to stand; a client that names its place misses nothing meanwhile. */
async function headOf(server: OpenServer): Promise<string> {
  const answer = await ask(server, "GET", "/api/events?limit=1000");
  return answer.json<{ result: { next: string } }>().result.next;
}

describe("following", () => {
  test("[LV1] each message is an event as /api/events shows it", async () => {
    const server = await openServer();
    const after = await headOf(server);
    const client = await LiveClient.open(server, { after });
    await register(server, "Ada");
    const seen = await client.until(named("Ada"));
    const { events } = (await ask(server, "GET", `/api/events?after=${after}`)).json<{
      result: { events: unknown[] };
    }>().result;
    expect([seen]).toEqual(events);
  });

  test("[LV2] without a cursor it begins now, with one it begins just after it", async () => {
    const server = await openServer();
    const start = cursorOf(0);
    await register(server, "Early");
    const fromNow = await LiveClient.open(server);
    const fromStart = await LiveClient.open(server, { after: start });
    await fromStart.until(named("Early"));
    await expect.poll(() => server.house.house.feed.followerCount).toBe(3);
    await register(server, "Late");
    await fromNow.until(named("Late"));
    await fromStart.until(named("Late"));
    expect(fromNow.heard.map(({ data }) => data["name"])).toEqual(["Late"]);
    const stored = (await ask(server, "GET", "/api/events")).json<{ result: { events: unknown[] } }>().result.events;
    expect(fromStart.heard).toEqual(stored);
  });

  test("[LV4] a channel brings what names it, an agent's own events and its mail", async () => {
    const server = await openServer();
    const [one, two, three] = [
      await register(server, "One"),
      await register(server, "Two"),
      await register(server, "Three"),
    ];
    const client = await LiveClient.open(server, { subscribe: [`agent:${two}`], after: await headOf(server) });
    const everything = await LiveClient.open(server, { subscribe: ["*"], after: await headOf(server) });
    const letter = { message_type: "query", body: "Hello" };
    await callTool(server, "agent_heartbeat", { agent_id: one });
    await callTool(server, "agent_heartbeat", { agent_id: two });
    await callTool(server, "message_send", { sender_id: one, recipient_id: two, ...letter });
    await callTool(server, "message_send", { sender_id: two, recipient_id: three, ...letter });
    await callTool(server, "message_send", { sender_id: one, recipient_id: three, ...letter });
    await callTool(server, "agent_unregister", { id: two });
    await client.until(({ event }) => event === "agent:unregistered");
    expect(client.heard.map(({ event }) => event)).toEqual([
      "agent:heartbeat",
      "message:new",
      "message:new",
      "agent:unregistered",
    ]);
    await everything.until(({ event }) => event === "agent:unregistered");
    expect(everything.heard).toHaveLength(6);
  });

  test("[LV5] a new subscription replaces the one before", async () => {
    const server = await openServer();
    const [one, two] = [await register(server, "One"), await register(server, "Two")];
    const after = await headOf(server);
    const client = await LiveClient.open(server, { subscribe: [`agent:${one}`], after });
    await callTool(server, "agent_heartbeat", { agent_id: one });
    await client.until(({ subject }) => subject === one);
    client.send({ subscribe: [`agent:${two}`], after });
    await callTool(server, "agent_heartbeat", { agent_id: one });
    await callTool(server, "agent_heartbeat", { agent_id: two });
    await client.until(({ subject }) => subject === two);
    expect(client.heard.map(({ subject }) => subject)).toEqual([one, two]);
  });

  test("[LV6] usage events are not sent", async () => {
    const server = await openServer();
    const client = await LiveClient.open(server, { after: cursorOf(0) });
    await callTool(server, "agent_list");
    await server.house.house.usage.flush();
    await register(server, "After");
    await client.until(named("After"));
    expect(client.heard.map(({ kind }) => kind)).not.toContain("agent_list");
  });

  test.each([
    "nonsense",
    "[]",
    "{}",
    '{"subscribe":[]}',
    '{"subscribe":"*"}',
    '{"subscribe":["*"],"after":""}',
    '{"subscribe":["*"],"after":"MS4"}',
    `{"subscribe":["*"],"after":"${cursorOf(1_000_000)}"}`,
    '{"subscribe":["*"],"extra":1}',
    `{"subscribe":["${"x".repeat(201)}"]}`,
    '{"subscribe":["*"],"__proto__":{}}',
  ])("[LV7] %j is answered with an error and the connection stays", async (message) => {
    const server = await openServer();
    const client = await LiveClient.open(server);
    client.send(message);
    const { data } = await client.until(({ event }) => event === "error");
    expect(data).toMatchObject({ code: "INVALID_REQUEST", hint: expect.any(String) });
    client.send({ subscribe: ["*"], after: cursorOf(0) });
    await client.until(({ event }) => event === "team:founded");
  });

  test("[LV8] what was rolled back is never seen", async () => {
    const settings = { toolTimeoutsMs: { slow_write: 50 }, timeoutMs: undefined, checksReplies: true };
    const server = await openServer({ tools: slowTools, settings });
    const client = await LiveClient.open(server, { after: cursorOf(0) });
    expect(await server.house.refusal("slow_write", { ms: 500, name: "Undone" })).toBe("TOOL_TIMEOUT");
    await register(server, "Done");
    await client.until(named("Done"));
    expect(client.heard.some(named("Undone"))).toBe(false);
  });
});
