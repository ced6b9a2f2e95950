import type { House } from "../../src/engine/house.ts";
import { mountEndpoint } from "../../src/transports/http/mcp.ts";
import { answerMcp } from "../../src/transports/http/mcp-endpoint.ts";
import { makeApp } from "../../src/transports/http/server.ts";
import { type EndpointOptions, McpEndpoint } from "../../src/transports/mcp/endpoint.ts";
import { makeFixtureServer } from "./fixtures/server.ts";

export interface FixtureServer {
  readonly url: string;
  readonly endpoint: McpEndpoint;
  close(): Promise<void>;
}

/**
 * The product's HTTP layer, guards, limits and MCP endpoint with the suite's tools behind them. Only who calls is not
 * asked, because the suite sends no token: everyone is the same principal.
 */
export async function startFixtureServer(
  house: House,
  overrides: Partial<EndpointOptions> = {},
): Promise<FixtureServer> {
  const app = makeApp(house, new Set(["127.0.0.1"]));
  const endpoint = new McpEndpoint({
    now: house.sources.now,
    principalOf: () => "suite",
    makeServer: makeFixtureServer,
    ...overrides,
  });
  mountEndpoint(
    app,
    async () => undefined,
    (request, reply) => answerMcp(house, endpoint, request, reply),
  );
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: `${address}/mcp`,
    endpoint,
    async close() {
      await endpoint.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
