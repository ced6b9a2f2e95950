import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { ask } from "../http/raw.ts";
import type { OpenServer } from "../http/routes.ts";
import type { TestServer } from "../http/server.ts";

/** Fails when `act` left anything behind but usage events. */
export async function expectNoTrace(server: OpenServer, act: () => Promise<void>): Promise<void> {
  const before = await server.house.entries("work");
  await act();
  expect(await server.house.entries("work")).toEqual(before);
}

/** Fails when `act` made a file in the server's home, or changed the work. */
export async function expectNoFile(server: TestServer, act: () => Promise<void>): Promise<void> {
  const look = async () => ({
    files: readdirSync(server.dir).sort(),
    work: (await ask(server, "GET", "/api/events?limit=1000")).json<{ result: { next: string } }>().result.next,
  });
  const before = await look();
  await act();
  expect(await look()).toEqual(before);
}

/** What of a token must be known to nobody; its public id may be. */
export const secretOf = (token: string): string => token.slice("cdk_tok".length + 27);
