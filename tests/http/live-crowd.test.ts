import { describe, expect, test } from "vitest";
import type { StoreKind } from "../../src/testing/house.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { LiveClient, type LiveEvent } from "./live-client.ts";
import { ask } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";

interface Crowd {
  readonly store: StoreKind;
  readonly listeners: number;
  readonly writers: number;
  readonly writes: number;
}

const marked = (events: readonly LiveEvent[]): string[] =>
  events.filter(({ event }) => event === "agent:registered").map(({ data }) => String(data["name"]));

/** A listener that leaves at random moments and comes back with its last cursor, until it has seen the end. */
async function listen(
  server: OpenServer,
  after: string,
  isOver: () => boolean,
): Promise<{ heard: LiveEvent[]; visits: number }> {
  const heard: LiveEvent[] = [];
  for (let visits = 1; ; visits += 1) {
    const client = await LiveClient.open(server, { after: heard.at(-1)?.cursor ?? after });
    const hasEnd = () => client.heard.some(({ data }) => data["name"] === "the end");
    if (isOver()) await client.until(({ data }) => data["name"] === "the end");
    else await letPass(Math.random() * 150, "a listener leaves at a random moment");
    client.socket.terminate();
    await client.closed;
    heard.push(...client.heard);
    if (hasEnd()) return { heard, visits };
  }
}

async function gather({ store, listeners, writers, writes }: Crowd): Promise<void> {
  const server = await openServer({ store });
  const { next } = (await ask(server, "GET", "/api/events?limit=1000")).json<{ result: { next: string } }>().result;
  let isWritten = false;
  const crowd = Array.from({ length: listeners }, () => listen(server, next, () => isWritten));
  const steady = await LiveClient.open(server, { after: next });
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let count = 0; count < writes; count += 1) await server.house.agent(`${writer}.${count}`);
    }),
  );
  await server.house.agent("the end");
  isWritten = true;
  await steady.until(({ data }) => data["name"] === "the end");
  const expected = marked(steady.heard);
  expect(new Set(expected).size).toBe(writers * writes + 1);

  const outcomes = await Promise.all(crowd);
  for (const { heard } of outcomes) {
    expect(heard).toEqual(steady.heard);
    expect(new Set(heard.map(({ cursor }) => cursor)).size).toBe(heard.length);
  }
  const visits = outcomes.reduce((sum, outcome) => sum + outcome.visits, 0);
  process.stdout.write(
    `${store}: ${listeners} listeners heard ${expected.length} events once and in order in ${visits} visits\n`,
  );
  expect(visits).toBeGreaterThan(listeners);
}

describe("a crowd of listeners", () => {
  test("[LV3] 32 connections that come and go see every event once and in order, on sqlite", async () => {
    await gather({ store: "sqlite", listeners: 32, writers: 8, writes: 60 });
  });

  test("[LV3] 32 connections that come and go see every event once and in order, on postgres", async () => {
    await gather({ store: "postgres", listeners: 32, writers: 8, writes: 40 });
  });
});
