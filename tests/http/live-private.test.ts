import { describe, expect, test } from "vitest";
import { cursorOf } from "../../src/domain/ledger/cursor.ts";
import { LiveClient, type LiveEvent } from "./live-client.ts";
import { ask } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";

const start = cursorOf(0);
const hidden = { developer: "@private" };

/** What a token sees of the ledger, live and page by page: both must be the same. */
async function viewOf(server: OpenServer, token: string): Promise<LiveEvent[]> {
  const page = (await ask(server, "GET", "/api/events?limit=1000", { token })).json<{
    result: { events: LiveEvent[] };
  }>();
  const client = await LiveClient.open(server, { after: start }, token);
  await client.until(({ cursor }) => cursor === page.result.events.at(-1)?.cursor);
  expect(client.heard).toEqual(page.result.events);
  await client.close();
  return client.heard;
}

async function withPrivateGrace() {
  const server = await openServer();
  const grace = await server.house.developer("grace", { private: true });
  const linus = await server.house.developer("linus");
  const agent = await server.house.agent("Secret plan", grace.caller, { metadata: { path: "/srv/secret" } });
  await server.house.agent("Open plan", linus.caller);
  return { server, grace, linus, agent };
}

describe("private people", () => {
  test("[LV10] others see of their work only that @private was concerned", async () => {
    const { server, grace, linus, agent } = await withPrivateGrace();
    for (const token of [linus.token, server.token]) {
      const events = await viewOf(server, token);
      expect(JSON.stringify(events)).not.toMatch(/Secret plan|grace/);
      const theirs = events.filter(({ subject }) => subject === agent);
      expect(theirs.map(({ event, data }) => [event, data])).toEqual([["agent:registered", hidden]]);
    }
    const own = (await viewOf(server, grace.token)).find(({ subject }) => subject === agent);
    expect(own?.data).toMatchObject({ name: "Secret plan" });
  });

  test("[LV10] what the owner does to their account and tokens is hidden as well", async () => {
    const { server, grace, linus } = await withPrivateGrace();
    const about = (events: readonly LiveEvent[], person: string) =>
      events.filter(
        ({ kind, subject }) =>
          (kind === "developer.created" && subject === person) ||
          (kind === "token.created" && subject === grace.caller.tokenId),
      );
    const seen = await viewOf(server, linus.token);
    expect(about(seen, "@private").map(({ data }) => data)).toEqual([hidden, hidden]);
    expect(JSON.stringify(seen)).not.toContain(grace.caller.developerId);
    const own = about(await viewOf(server, grace.token), grace.caller.developerId);
    expect(own.map(({ data }) => data)).toEqual([
      { id: grace.caller.developerId, handle: "grace", role: "member" },
      { id: grace.caller.tokenId, developer_id: grace.caller.developerId, label: "unnamed", agent_type: null },
    ]);
  });

  test("[LV10] the usage of private people is hidden in the same way", async () => {
    const { server, grace, linus, agent } = await withPrivateGrace();
    await server.house.call("agent_heartbeat", { agent_id: agent }, grace.caller);
    const usage = async (token: string) =>
      (await ask(server, "GET", "/api/usage?kind=agent_heartbeat", { token })).json<{
        result: { events: LiveEvent[] };
      }>();
    expect((await usage(linus.token)).result.events.map(({ data }) => data)).toEqual([hidden]);
    expect((await usage(grace.token)).result.events[0]?.data).toMatchObject({ agent_id: agent });
  });

  test("[LV11] whoever becomes private is hidden from that moment on, live and in what was before", async () => {
    const { server, linus } = await withPrivateGrace();
    const ada = await server.house.developer("ada-two");
    const watcher = await LiveClient.open(server, { after: start }, linus.token);
    await server.house.agent("Before", ada.caller);
    await watcher.until(({ data }) => data["name"] === "Before");
    await server.house.call("developer_update", { handle: "ada-two", private: true }, ada.caller);
    const agent = await server.house.agent("After", ada.caller);
    expect((await watcher.until(({ subject }) => subject === agent)).data).toEqual(hidden);
    expect(JSON.stringify(await viewOf(server, linus.token))).not.toMatch(/"Before"|"After"|ada-two/);
  });
});
