import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../../contract/caller.ts";
import type { Catalogue } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import type { OpenConnection } from "../../engine/presence.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { McpEndpoint } from "../mcp/endpoint.ts";
import { type Connection, leaveTrace, makeServer } from "../mcp/gate.ts";
import { errorMessage, type Fault, readMessage } from "../mcp/message.ts";
import { openConnection, type SelectionRequest, selectionOf } from "../mcp/session.ts";
import { serveStreams } from "../mcp/streams.ts";
import { bearerOf, type Identity } from "./identity.ts";
import { OpenAnswers } from "./open-answers.ts";

interface McpRoutes {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
}

/** What was found out about a request before it went to the SDK. */
const callers = new WeakMap<IncomingMessage, Caller>();

interface McpGate {
  readonly sessionCount: number;
  /** Ends what is open for a token: sessions, and streams that are still being written. */
  endAllOf(tokenId: string): Promise<void>;
  close(): Promise<void>;
}

/** MCP at `/mcp`: streamable HTTP of both eras. A cookie does not open it, for a browser has no business here. */
export function mountMcp(app: FastifyInstance, { house, identity, catalogue }: McpRoutes): McpGate {
  const answers = new OpenAnswers();
  const endpoint = new McpEndpoint({
    now: house.sources.now,
    principalOf: (request) => callers.get(request)?.tokenId ?? "",
    open: (ask) => house.presence.open(ask),
    makeServer: (request, era, open) =>
      makeServer(connectionOf({ house, catalogue }, request, { caller: callers.get(request), open }), era),
  });
  mountEndpoint(app, house, endpoint, async (request, response) => {
    const caller = await identity.identifyToken(bearerOf(request), request);
    selectionOf(catalogue, askOf(request));
    callers.set(request, caller);
    answers.add(caller.tokenId, response);
  });
  return {
    get sessionCount() {
      return endpoint.sessionCount;
    },
    async endAllOf(tokenId) {
      answers.endAllOf(tokenId);
      await endpoint.endSessionsOf(tokenId);
    },
    close: () => endpoint.close(),
  };
}

/** Gives `/mcp` to an endpoint. `admit` refuses whoever may not come in, before the endpoint sees the request. */
export function mountEndpoint(
  app: FastifyInstance,
  house: House,
  endpoint: McpEndpoint,
  admit: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): void {
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    handler: async (request, reply) => {
      await admit(request.raw, reply.raw);
      const reading = readBody(request);
      if ("fault" in reading) {
        leaveUsage(house, { tool: undefined, code: "INVALID_REQUEST", transport: "mcp" });
        return reply.code(400).send(errorMessage(reading.fault));
      }
      const writeAnswer = await endpoint.accept(request.raw, reading.message);
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? "");
      reply.hijack();
      await writeAnswer(reply.raw).catch((error: unknown) => {
        house.log.error({ err: error }, "an MCP answer could not be written");
        reply.raw.destroy();
      });
      return reply;
    },
  });
}

/** Batches belong to one of the older revisions and are left to the SDK, which limits them. */
const readBody = ({ method, body }: FastifyRequest): { message: unknown } | { fault: Fault } =>
  method !== "POST" || Array.isArray(body) ? { message: body } : readMessage(body);

/** The stdio bridge's way in: frames over an upgraded connection, as if it were stdio. Returns a function that ends it. */
export function servePipe(
  parts: Omit<McpRoutes, "identity">,
  request: IncomingMessage,
  socket: Duplex,
  caller: Caller,
): () => Promise<void> {
  const { house } = parts;
  const open = house.presence.open({ key: connectionKeyOf(request) });
  void house.presence
    .resume(house, caller.developerId, open)
    .catch((error: unknown) => house.log.error({ err: error }, "the agents of a connection could not be found"));
  const connection = connectionOf(parts, request, { caller, open });
  return serveStreams(socket, socket, {
    makeServer: (era) => makeServer(connection, era),
    malformed: () => leaveTrace(connection, undefined, "INVALID_REQUEST"),
    closed: () => open.close(),
  });
}

/** The name a bridge gives its connection, the same for as long as it lives, so that its agents are found again. */
function connectionKeyOf(request: IncomingMessage): string | undefined {
  const value = request.headers["x-crewdeck-connection"];
  return typeof value === "string" && /^[\w-]{16,64}$/.test(value) ? value : undefined;
}

function connectionOf(
  { house, catalogue }: Omit<McpRoutes, "identity">,
  request: IncomingMessage,
  { caller, open }: { caller: Caller | undefined; open: OpenConnection | undefined },
): Connection {
  const token = bearerOf(request);
  return openConnection({
    house,
    catalogue,
    selection: selectionOf(catalogue, askOf(request)),
    developerId: caller?.developerId ?? null,
    identify: () => house.authenticator.identify(token),
    folder: folderOf(request),
    open,
    revision: request.headersDistinct["mcp-protocol-version"]?.[0],
  });
}

/** Paths may hold any character and headers may not, so the bridge sends the client's folder encoded. */
function folderOf(request: IncomingMessage): string | undefined {
  const value = request.headers["x-crewdeck-repo"];
  try {
    return typeof value === "string" ? decodeURI(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What to list: headers from the bridge, query parameters from a client's configuration. What restricts adds up. */
function askOf(request: IncomingMessage): SelectionRequest {
  const query = new URL(request.url ?? "/", "http://localhost").searchParams;
  const header = (name: string): string | null => {
    const value = request.headers[name];
    return typeof value === "string" ? value : null;
  };
  const excluded = [header("x-crewdeck-exclude"), query.get("exclude")].filter((list) => list !== null);
  return {
    tools: header("x-crewdeck-tools") ?? query.get("tools") ?? undefined,
    exclude: excluded.length === 0 ? undefined : excluded.join(","),
    readOnly: [header("x-crewdeck-read-only"), query.get("read_only")].some(isYes),
  };
}

/** A word that is neither yes nor no might have been meant as a yes. */
function isYes(word: string | null): boolean {
  if (word === null || word === "0" || word === "false") return false;
  if (word === "1" || word === "true") return true;
  throw new Refusal("INVALID_REQUEST", "Read-only is asked for with 1 or true.");
}
