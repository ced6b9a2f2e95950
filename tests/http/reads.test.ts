import { describe, expect, test } from "vitest";
import { cursorOf } from "../../src/domain/ledger/cursor.ts";
import { ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";
import { type TestServer, useServer } from "./server.ts";

const server = useServer();

interface Page {
  readonly events: {
    event: string;
    kind: string;
    subject: string;
    data: Record<string, unknown>;
    cursor: string;
    ts: string;
  }[];
  readonly next: string;
}

const page = async (own: Pick<TestServer, "url" | "token">, path: string): Promise<Page> =>
  (await ask(own, "GET", path)).json<{ result: Page }>().result;

const register = (name: string) => callTool<{ id: string }>(server, "agent_register", { name, runtime: "custom" });

describe("events", () => {
  test("[HT20] pages from the start give every event once and in order", async () => {
    for (let count = 0; count < 7; count += 1) await register(`Agent ${count}`);
    const whole = await page(server, "/api/events?limit=1000");
    const collected: Page["events"] = [];
    for (let after: string | undefined; ; ) {
      const part = await page(server, `/api/events?limit=3${after === undefined ? "" : `&after=${after}`}`);
      expect(part.events.length).toBeLessThanOrEqual(3);
      expect(part.next).toBe(part.events.at(-1)?.cursor ?? after);
      collected.push(...part.events);
      if (part.events.length < 3) break;
      after = part.next;
    }
    expect(collected).toEqual(whole.events);
    expect(new Set(collected.map(({ cursor }) => cursor)).size).toBe(collected.length);
    expect(collected.filter(({ event }) => event === "agent:registered").map(({ data }) => data["name"])).toEqual(
      Array.from({ length: 7 }, (_, count) => `Agent ${count}`),
    );
  });

  test("[HT20, LV12] an event has its names, its subject, its actor, its data, its place and its time", async () => {
    const { next } = await page(server, "/api/events?limit=1000");
    const { id } = await register("Seen");
    expect(await page(server, `/api/events?after=${next}`)).toEqual({
      events: [
        {
          event: "agent:registered",
          kind: "agent.registered",
          subject: id,
          actor: expect.stringMatching(/^[a-z0-9-]+$/),
          data: { id, name: "Seen", runtime: "custom", role: "worker", status: "online" },
          cursor: expect.any(String),
          ts: expect.stringMatching(/Z$/),
        },
      ],
      next: expect.any(String),
    });
  });

  test("[HT20] at the end the page is empty and its cursor stays good", async () => {
    const { next } = await page(server, "/api/events?limit=1000");
    expect(await page(server, `/api/events?after=${next}`)).toEqual({ events: [], next });
    await register("Later");
    expect((await page(server, `/api/events?after=${next}`)).events).toHaveLength(1);
  });

  test("[HT25] pages from the end give the same events the other way round, of one subject if asked", async () => {
    const whole = await page(server, "/api/events?limit=1000");
    const collected: Page["events"] = [];
    for (let before: string | undefined; ; ) {
      const part = await page(server, `/api/events?newest=true&limit=3${before ? `&before=${before}` : ""}`);
      collected.push(...part.events);
      if (part.events.length === 0) break;
      before = part.next;
    }
    expect(collected.reverse()).toEqual(whole.events);
    const { id } = await register("Alone");
    expect((await page(server, `/api/events?subject=${id}`)).events.map(({ kind }) => kind)).toEqual([
      "agent.registered",
    ]);
    const kindsOf = async (query: string): Promise<Set<string>> =>
      new Set((await page(server, `/api/events?limit=1000&${query}`)).events.map(({ kind }) => kind));
    const all = await kindsOf("");
    expect(await kindsOf("about=agent")).toEqual(new Set([...all].filter((kind) => kind.startsWith("agent."))));
    expect(await kindsOf("without=agent.registered")).toEqual(
      new Set([...all].filter((kind) => kind !== "agent.registered")),
    );
    for (const path of ["/api/events?newest=yes", `/api/events?before=${whole.next}`]) {
      expect([path, (await ask(server, "GET", path)).status]).toEqual([path, 400]);
    }
  });

  test("[HT21] kind filters by either name", async () => {
    const byWire = await page(server, "/api/events?kind=agent:registered&limit=1000");
    const byOurs = await page(server, "/api/events?kind=agent.registered&limit=1000");
    expect(byWire.events.length).toBeGreaterThan(0);
    expect(byOurs).toEqual(byWire);
    expect(new Set(byWire.events.map(({ kind }) => kind))).toEqual(new Set(["agent.registered"]));
    expect((await page(server, "/api/events?kind=nothing")).events).toEqual([]);
  });

  const unknownCursors = ["x", "", "MS4x.", `${cursorOf(3)}=`, Buffer.from("1.-1").toString("base64url")];
  test.each([
    ...["0", "-1", "1001", "1e9", "x", "", "1.5", "NaN"].map((limit) => `/api/events?limit=${limit}`),
    ...unknownCursors.map((after) => `/api/usage?after=${encodeURIComponent(after)}`),
    "/api/events?limit=1&limit=2",
    "/api/events?knd=agent.registered",
    "/api/agents?order=name",
    "/api/agents?limit=0",
    "/api/agents?limit=ten",
    "/api/agents?status=asleep",
    "/api/messages?offset=-1",
    "/api/messages?agent_id=a&agent_id=b",
    "/api/agents?__proto__=x",
  ])("[HT22] %s is refused with 400", async (path) => {
    const answer = await ask(server, "GET", path);
    expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, "INVALID_REQUEST"]);
  });

  test("[HT23] usage events have the same form, the newest call included", async () => {
    const own = await openServer();
    await callTool(own, "agent_list");
    const { events, next } = await page(own, "/api/usage");
    expect(events).toEqual([
      {
        event: "agent_list",
        actor: "ada",
        kind: "agent_list",
        subject: expect.stringMatching(/^call_/),
        data: {
          id: events[0]?.subject,
          tool: "agent_list",
          outcome: "ok",
          transport: "http",
          duration_ms: expect.any(Number),
        },
        cursor: next,
        ts: expect.any(String),
      },
    ]);
  });
});

describe("reads that ask a tool", () => {
  test("[HT24, HT27] /api/agents answers what agent_list answers, with lists in either form", async () => {
    const { id } = await register("Busy");
    await callTool(server, "agent_update", { id, status: "busy" });
    const expected = await callTool(server, "agent_list", { status: ["online", "busy"], runtime: "custom", limit: 5 });
    for (const query of [
      "status=online,busy&runtime=custom&limit=5",
      "status=online&status=busy&runtime=custom&limit=5",
    ]) {
      const answer = await ask(server, "GET", `/api/agents?${query}`);
      expect(answer.json()["result"]).toEqual(expected);
    }
    const all = await ask(server, "GET", "/api/agents?status=&role=");
    expect(all.json()["result"]).toEqual(await callTool(server, "agent_list"));
    const instances = await ask(server, "GET", "/api/instances?type=&status=");
    expect(instances.json()["result"]).toEqual({ instances: [] });
  });

  test("[HT24] /api/messages answers what message_list answers", async () => {
    const [sender, recipient] = [await register("Sender"), await register("Recipient")];
    const letter = { sender_id: sender.id, recipient_id: recipient.id, message_type: "query", body: "Anyone there?" };
    await callTool(server, "message_send", { ...letter, priority: "high" });
    await callTool(server, "message_send", letter);
    const expected = await callTool(server, "message_list", {
      agent_id: recipient.id,
      priority: ["high", "urgent"],
      limit: 3,
    });
    const answer = await ask(server, "GET", `/api/messages?agent_id=${recipient.id}&priority=high,urgent&limit=3`);
    expect(answer.json()["result"]).toEqual(expected);
    expect(expected["messages"]).toHaveLength(1);
  });

  test("[HT71] /api/messages without an agent lists the mail of all of the caller's agents and nobody else's", async () => {
    const own = await openServer();
    const { token } = await own.house.developer("bob");
    const bob = { ...own, token };
    const add = (who: typeof own, name: string) =>
      callTool<{ id: string }>(who, "agent_register", { name, runtime: "custom" });
    const [ada, eve, his] = [await add(own, "Ada"), await add(own, "Eve"), await add(bob, "Bob's")];
    const write = async (who: typeof own, from: string, to: string) =>
      (
        await callTool<{ id: string }>(who, "message_send", {
          ...{ sender_id: from, recipient_id: to, message_type: "query", body: "Anyone there?" },
        })
      ).id;
    const read = await write(own, ada.id, eve.id);
    const sent = await write(own, ada.id, his.id);
    const archived = await write(bob, his.id, ada.id);
    const foreign = await write(bob, his.id, his.id);
    await callTool(own, "message_get", { id: read });
    await callTool(own, "message_archive", { message_ids: [archived] });
    const list = async (who: typeof own, query = "") => {
      const answer = await ask(who, "GET", `/api/messages${query}`);
      const { messages, unread_count } = answer.json<{
        result: { messages: { id: string }[]; unread_count: number };
      }>().result;
      return [messages.map(({ id }) => id), unread_count];
    };
    expect(await list(own)).toEqual([[sent, read], 0]);
    expect(await list(own, "?limit=1&offset=1")).toEqual([[read], 0]);
    expect(await list(own, "?status=archived")).toEqual([[archived], 0]);
    expect(await list(bob)).toEqual([[foreign, sent], 2]);
  });

  test("[HT71] /api/agents is paged", async () => {
    const all = (await callTool<{ agents: unknown[] }>(server, "agent_list", {})).agents;
    const second = await ask(server, "GET", "/api/agents?limit=1&offset=1");
    expect(second.json()["result"]).toEqual({ agents: [all[1]] });
  });

  test("[HT72] /api/missions lists missions with what they were started with", async () => {
    const own = await openServer();
    const asked = { name: "Auth", objective: "JWT", description: "d", scope: "s", constraints: "c" };
    const started = await callTool<{ mission_id: string; created_at: string }>(own, "start_mission", {
      ...asked,
      profile: "complex",
    });
    expect((await ask(own, "GET", "/api/missions")).json()["result"]).toEqual({
      missions: [
        {
          id: started.mission_id,
          mission_id: started.mission_id,
          ...asked,
          profile: "COMPLEX",
          status: "PENDING",
          current_phase: 0,
          total_phases: 4,
          developer: expect.any(String),
          created_at: started.created_at,
          updated_at: started.created_at,
        },
      ],
      total: 1,
    });
  });
});
