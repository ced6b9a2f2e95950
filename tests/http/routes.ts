import { onTestFinished } from "vitest";
import type { AnyTool } from "../../src/contract/tool.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { everyTool } from "../contract/parts.ts";
import { serveHouse, type TestServer } from "./server.ts";

export interface OpenServer extends TestServer {
  readonly house: TestHouse;
  /** Every route there is, as `METHOD /path`. */
  readonly routes: readonly string[];
}

export interface ServerOptions extends Omit<NonNullable<Parameters<typeof openTestHouse>[1]>, "tools"> {
  readonly store?: StoreKind;
  /** Tools beside the published ones. */
  readonly tools?: readonly AnyTool[];
}

/** For tests that call every tool with whatever: who waits for something is answered at once. */
export const impatient = {
  toolTimeoutsMs: { wait: 20, build_index: 300, build_sqlite_index: 300, bootstrap: 300 },
  timeoutMs: undefined,
  checksReplies: true,
} as const;

/** All gates in front of a test house: for tests that move the clock, look into the ledger or bring tools of their own. */
export async function openServer({ store = "sqlite", tools = [], ...rest }: ServerOptions = {}): Promise<OpenServer> {
  const house = await openTestHouse(store, { ...rest, tools: [...everyTool, ...tools] });
  const server = await serveHouse(house.house, house.ownerToken, tools);
  onTestFinished(() => server.close());
  return { ...server, house };
}
