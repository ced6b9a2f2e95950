import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../../contract/caller.ts";
import type { Catalogue } from "../../contract/listing.ts";
import type { House } from "../../engine/house.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { McpEndpoint } from "../mcp/endpoint.ts";
import { makeServer } from "../mcp/gate.ts";
import { openConnection, type SelectionRequest, selectionOf } from "../mcp/session.ts";
import { serveStreams } from "../mcp/streams.ts";
import { bearerOf, type Identity } from "./identity.ts";

interface McpRoutes {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
}

/** What was found out about a request before it went to the SDK. */
const callers = new WeakMap<IncomingMessage, Caller>();

/** MCP at `/mcp`: streamable HTTP of both eras. */
export function mountMcp(app: FastifyInstance, { house, identity, catalogue }: McpRoutes): McpEndpoint {
  const endpoint = new McpEndpoint({
    now: house.sources.now,
    principalOf: (request) => callers.get(request)?.tokenId ?? "",
    makeServer: (request, era) => {
      const token = bearerOf(request);
      const connection = openConnection(house, catalogue, selectionOf(catalogue, askOf(request)), () =>
        house.authenticator.identify(token),
      );
      return makeServer(connection, era);
    },
  });
  mountEndpoint(app, house, endpoint, async (request) => {
    callers.set(request, await identity.identify(request));
    selectionOf(catalogue, askOf(request));
  });
  return endpoint;
}

/** Gives `/mcp` to an endpoint. `admit` refuses whoever may not come in, before the endpoint sees the request. */
export function mountEndpoint(
  app: FastifyInstance,
  house: House,
  endpoint: McpEndpoint,
  admit: (request: IncomingMessage) => Promise<void>,
): void {
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    handler: async (request, reply) => {
      await admit(request.raw);
      const writeAnswer = await endpoint.accept(request.raw, request.body);
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? "");
      reply.hijack();
      await writeAnswer(reply.raw).catch((error: unknown) => {
        house.log.error({ err: error }, "an MCP answer could not be written");
        reply.raw.destroy();
      });
    },
  });
}

/** The stdio bridge's way in: frames over an upgraded connection, as if it were stdio. Returns a function that ends it. */
export function servePipe(
  { house, catalogue }: Omit<McpRoutes, "identity">,
  request: IncomingMessage,
  socket: Duplex,
): () => Promise<void> {
  const token = bearerOf(request);
  const selection = selectionOf(catalogue, askOf(request));
  const connection = openConnection(house, catalogue, selection, () => house.authenticator.identify(token));
  return serveStreams(socket, socket, {
    makeServer: (era) => makeServer(connection, era),
    cancel: (id) => connection.cancellable.get(id)?.abort(),
    malformed: () => leaveUsage(house, { tool: undefined, code: "INVALID_REQUEST", transport: "mcp" }),
  });
}

/** What to list: headers from the bridge, query parameters from a client's configuration. */
export function askOf(request: IncomingMessage): SelectionRequest {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    tools: header("x-crewdeck-tools") ?? query.get("tools") ?? undefined,
    exclude: header("x-crewdeck-exclude") ?? query.get("exclude") ?? undefined,
    readOnly: (header("x-crewdeck-read-only") ?? query.get("read_only")) === "1",
  };
}
