import { expect, test } from "vitest";
import { cursorOf } from "../../src/domain/ledger/cursor.ts";
import { Replays } from "../../src/engine/replays.ts";
import { LiveClient } from "./live-client.ts";
import { ask } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";

/** A ledger of this many entries more, of some length each. */
async function fill(server: OpenServer, count: number, bytes: number): Promise<void> {
  const { store, sources } = server.house.house;
  const entries = Array.from({ length: count }, (_, place) => ({
    stream: "work" as const,
    kind: "test.filled",
    announced: "test:filled",
    subject: String(place),
    channels: [],
    data: { text: "x".repeat(bytes) },
    at: sources.now(),
    developerId: null,
    callId: null,
  }));
  for (let at = 0; at < count; at += 1_000) {
    await store.transact(async () => ({ value: undefined, entries: entries.slice(at, at + 1_000) }));
  }
}

test("[LV23] a caller has four turns at a time and the others wait; another caller's are their own", async () => {
  const replays = new Replays();
  const turns = await Promise.all(Array.from({ length: 4 }, () => replays.take("ada")));
  const leaver = new AbortController();
  const given: string[] = [];
  const left = replays.take("ada", leaver.signal).catch(() => given.push("left"));
  const fifth = replays.take("ada").then((end) => given.push("fifth") && end);
  await replays.take("grace");
  expect(given).toEqual([]);
  leaver.abort();
  await left;
  turns[0]?.();
  turns[0]?.();
  await fifth;
  expect(given).toEqual(["left", "fifth"]);
});

test("[LV23] readers who take nothing hold up their own caller's turns and nobody else", async () => {
  const server = await openServer();
  await fill(server, 3_000, 4_000);
  const slow = await Promise.all(Array.from({ length: 6 }, () => LiveClient.open(server, { after: cursorOf(0) })));
  for (const { socket } of slow) socket.pause();
  const { token } = await server.house.developer("grace");
  const other = await LiveClient.open(server, { after: cursorOf(0) }, token);
  await other.until(({ subject }) => subject === "2999");
  expect((await ask(server, "GET", "/api/events?limit=1000", { token })).status).toBe(200);
  for (const { heard } of slow) expect(heard.length).toBeLessThan(3_000);
});

test("[LV23] a subscription that was replaced is read no further, and what came meanwhile is not missed", async () => {
  const server = await openServer();
  await fill(server, 2_000, 10);
  const client = await LiveClient.open(server, { after: cursorOf(0) });
  for (let count = 0; count < 20; count += 1) client.send({ subscribe: ["*"], after: cursorOf(0) });
  await fill(server, 7_000, 10);
  await client.until(({ subject }) => subject === "6999");
  const last = client.heard.map(({ cursor }) => cursor).slice(-9_000);
  expect(new Set(last).size).toBe(9_000);
});
