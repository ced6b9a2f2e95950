import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cursorOf } from "../../src/domain/ledger/cursor.ts";
import { LiveClient } from "./live-client.ts";
import { ask } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";

/** Appends `count` events of 64 KiB each, a few at a time, as fast as this reader reads. */
async function pour(server: OpenServer, count: number, reader: LiveClient): Promise<void> {
  const { store, sources } = server.house.house;
  for (let done = 0; done < count; done += 10) {
    const entries = Array.from({ length: 10 }, (_, place) => ({
      stream: "work" as const,
      kind: "test.poured",
      announced: "test:poured",
      subject: String(done + place),
      channels: [],
      data: { text: randomBytes(32_768).toString("hex") },
      at: sources.now(),
      developerId: null,
      callId: null,
    }));
    await store.transact(async () => ({ value: undefined, entries }));
    await reader.until(({ subject }) => subject === String(done + 9));
  }
}

const liveCount = async (server: OpenServer): Promise<number> =>
  (await ask(server, "GET", "/status")).json<{ result: { status: { connections: { live: number } } } }>().result.status
    .connections.live;

describe("limits", () => {
  test("[LV20] a reader that stays behind is let go, the others hear everything, and it misses nothing", async () => {
    const server = await openServer();
    const [slow, fast] = await Promise.all([0, 1].map(() => LiveClient.open(server, { after: cursorOf(0) })));
    if (!slow || !fast) throw new Error("two listeners");
    await Promise.all([slow, fast].map((client) => client.until(({ event }) => event === "team:founded")));
    const poured = (client: LiveClient) => client.heard.filter(({ event }) => event === "test:poured");
    slow.socket.pause();
    const count = 600;
    await pour(server, count, fast);
    await fast.until(({ subject }) => subject === String(count - 1));
    await expect.poll(() => liveCount(server)).toBe(1);
    expect(poured(fast).map(({ subject }) => subject)).toEqual(
      Array.from({ length: count }, (_, place) => String(place)),
    );

    slow.socket.resume();
    expect([1006, 1013]).toContain(await slow.closed);
    const heard = poured(slow);
    expect(heard.length).toBeLessThan(count);
    for (let visits = 0; heard.length < count && visits < 50; visits += 1) {
      const again = await LiveClient.open(server, { after: heard.at(-1)?.cursor ?? slow.lastCursor });
      await Promise.race([
        again.until(({ subject }) => subject === String(count - 1)).catch(() => undefined),
        again.closed,
      ]);
      again.socket.terminate();
      heard.push(...again.heard);
    }
    expect(heard).toEqual(poured(fast));
  });

  test("[LV21] a message that is too large ends the connection", async () => {
    const server = await openServer();
    const client = await LiveClient.open(server);
    client.send(JSON.stringify({ subscribe: ["x".repeat(300 * 1024)] }));
    expect(await client.closed).toBe(1009);
  });

  test("[LV21] a flood of messages ends the connection, and the server goes on", async () => {
    const server = await openServer();
    const client = await LiveClient.open(server);
    for (let count = 0; count < 10_000; count += 1) client.send('{"subscribe":["*"]}');
    expect(await client.closed).toBe(1008);
    await expect.poll(() => server.house.house.feed.followerCount).toBe(1);
    const next = await LiveClient.open(server, { after: cursorOf(0) });
    await next.until(({ event }) => event === "team:founded");
  });

  test("[LV22] one token's connections are limited", async () => {
    const server = await openServer();
    const { token } = await server.house.developer("grace");
    // A few at a time: who is slow to shake hands is put off, and a crowd on a busy machine is slow.
    for (let open = 0; open < 2_000; open += 50) {
      await Promise.all(Array.from({ length: 50 }, () => LiveClient.open(server)));
    }
    await expect(LiveClient.open(server)).rejects.toThrow("429");
    const other = await LiveClient.open(server, { after: cursorOf(0) }, token);
    await other.until(({ event }) => event === "team:founded");
  });
});
