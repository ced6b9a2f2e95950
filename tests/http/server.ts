import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { homeAt, readCredentials } from "../../src/adapters/home.ts";
import type { Catalogue } from "../../src/contract/listing.ts";
import { toCatalogue } from "../../src/contract/projections/catalogue.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import type { House } from "../../src/engine/house.ts";
import { type Log, silentLog } from "../../src/engine/log.ts";
import { startServer } from "../../src/main.ts";
import { startHttp } from "../../src/transports/http/server.ts";
import { parts } from "../contract/parts.ts";

/** The catalogue as it is committed, which is what the program itself reads. */
export const published = JSON.parse(
  readFileSync(new URL("../../contracts/mcp.json", import.meta.url), "utf8"),
) as Catalogue;

/** A server to talk to, and the token of its owner. */
export interface TestServer {
  readonly url: string;
  readonly token: string;
  /** The folder of its home; empty for a server that stands on a test house. */
  readonly dir: string;
  close(): Promise<void>;
}

/** The program's own server in a home of its own, on a free port. */
export async function startTestServer(log: Log = silentLog): Promise<TestServer> {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-http-"));
  const home = homeAt(dir);
  const running = await startServer({ home, port: 0, log });
  return {
    url: running.url,
    token: readCredentials(home).default ?? "",
    dir,
    async close() {
      await running.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** One server for all tests of a file; to be read inside tests only. */
export function useServer(log?: Log): TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(log);
  });
  afterAll(() => server?.close());
  const started = (): TestServer => {
    if (!server) throw new Error("the server is started before the first test, not before");
    return server;
  };
  return {
    get url() {
      return started().url;
    },
    get token() {
      return started().token;
    },
    get dir() {
      return started().dir;
    },
    close: () => started().close(),
  };
}

/** What a server on a test house says of where its program lies. */
export const program = {
  command: "node /opt/it/bin/crewdeck.js",
  options: "",
  bridge: ["node", "/opt/it/bin/crewdeck.js", "mcp"],
};

/** By which a server on a test house is known to its own account. */
export const testSecret = "the secret of a test";

/** All gates in front of a house that the test holds in its hands: its clock, its store, its tools. */
export async function serveHouse(
  house: House,
  token: string,
  tools: readonly AnyTool[] = [],
  port = 0,
): Promise<TestServer & { routes: readonly string[] }> {
  const http = await startHttp({
    house,
    catalogue: toCatalogue({ ...parts, tools: [...parts.tools, ...tools] }),
    openApi: () => "{}",
    host: "127.0.0.1",
    port,
    allowedHosts: ["deck.example"],
    deckDir: fileURLToPath(new URL("../../dist/dashboard", import.meta.url)),
    repo: "/srv/code/shop",
    program,
    secret: testSecret,
  });
  return { url: http.url, routes: http.routes, token, dir: "", close: () => http.close() };
}
