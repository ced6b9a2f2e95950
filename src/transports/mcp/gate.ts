import { CLIENT_INFO_META_KEY, ProtocolError, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "../../contract/caller.ts";
import type { McpClient } from "../../contract/client-patience.ts";
import { type Failure, failureIn, failureOf, type Meta, metaOf } from "../../contract/envelope.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { type Catalogue, isExcluded, listTools, type Selection } from "../../contract/listing.ts";
import type { Seat } from "../../contract/seat.ts";
import {
  firstModernRevision,
  firstRevisionWithArgumentResults,
  oldestRevision,
  protocolVersions,
} from "../../contract/versions.ts";
import type { Call, Progress, Stage } from "../../engine/call.ts";
import type { CallQueue } from "../../engine/call-queue.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import type { OpenConnection } from "../../engine/presence.ts";
import { newId } from "../../engine/sources.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { unwrapCall } from "../../engine/wrapped-call.ts";
import type { Cancellations } from "./cancellations.ts";
import { GateServer } from "./gate-server.ts";
import { cacheHint, serverCapabilities } from "./identity.ts";
import { throttleProgress } from "./progress.ts";
import { rpcErrors } from "./rpc.ts";

/** What one connection brings with it. */
export interface Connection {
  readonly house: House;
  readonly catalogue: Catalogue;
  readonly selection: Selection;
  readonly queue: CallQueue;
  /** Whose connection it is, for what is refused before the caller is asked for. */
  readonly developerId: string | null;
  /** Asked again for every call: a revoked token ends at once, on open connections too (ID8). */
  identify(): Promise<Caller>;
  readonly cancellations: Cancellations;
  /** What stays open between calls, if anything does: it keeps the agents alive that work on it. */
  readonly open?: OpenConnection | undefined;
  /** How the client reaches us; how long it waits for an answer depends on it. */
  readonly way: McpClient["way"];
  /** The folder the client works in, if it says so. */
  readonly folder?: string | undefined;
  readonly seat?: Seat | undefined;
  /** The revision a request without a session says it speaks. */
  readonly revision?: string | undefined;
}

const CancelParams = z.looseObject({ id: z.union([z.string(), z.number()]) });

/** One MCP server for one connection. The list is frozen; calls go to `dispatch` and nowhere else. */
export function makeServer(connection: Connection, era: "legacy" | "modern"): Server {
  const { catalogue } = connection;
  const server = new GateServer(
    {
      capabilities: serverCapabilities,
      supportedProtocolVersions: protocolVersions.filter((revision) => revision < firstModernRevision),
      instructions: catalogue.instructions,
      cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint },
    },
    { malformedCall: (tool) => leaveTrace(connection, tool, "INVALID_REQUEST") },
  );
  server.setRequestHandler("tools/list", (_request, context) => ({
    tools: listTools(catalogue, connection.selection, clientNameOf(server, context)) as never,
  }));
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name, arguments: args } = request.params;
    const call = unwrapCall(connection.house, { tool: name, args, isExcluded: excludedFrom(connection) });
    const answer = await callTool(connection, call, context, clientNameOf(server, context));
    return toResult(answer, revisionOf(server, era, connection)) as never;
  });
  // The bridge refuses by itself what is no message; it leaves its trace here all the same (BR39).
  server.setNotificationHandler("$/malformed", { params: z.looseObject({}) }, () =>
    leaveTrace(connection, undefined, "INVALID_REQUEST"),
  );
  // Unlike MCP's own cancellation this one is answered (MC41).
  server.setNotificationHandler("$/cancelRequest", { params: CancelParams }, ({ id }) =>
    connection.cancellations.cancel(id),
  );
  return server;
}

const excludedFrom =
  ({ catalogue, selection }: Connection) =>
  (tool: string): boolean =>
    isExcluded(catalogue, selection, tool);

/** What became of a call, and what the answer says about itself. */
interface Answer {
  readonly outcome: { value: unknown } | { failure: Failure; stage: Stage | "queue"; family: string | undefined };
  readonly meta: Meta;
}

async function callTool(
  connection: Connection,
  { tool: name, args }: Pick<Call, "tool" | "args">,
  context: ServerContext,
  clientName: string | undefined,
): Promise<Answer> {
  const { house, queue, cancellations } = connection;
  const { id, _meta: meta } = context.mcpReq;
  const signal = cancellations.begin(id, context.mcpReq.signal);
  const startedAt = house.sources.now();
  try {
    const reply = await queue.run(async () => {
      const caller = await connection.identify();
      return dispatch(house, {
        tool: name,
        args,
        caller,
        transport: "mcp",
        folder: connection.folder,
        seat: connection.seat,
        connection: connection.open,
        client: { name: clientName, way: connection.way, hasProgress: meta?.progressToken !== undefined },
        signal,
        idempotencyKey: textOf(meta?.["crewdeck/idempotencyKey"]),
        isExcluded: excludedFrom(connection),
        onProgress: progressOf(context, house.sources.now),
      });
    }, signal);
    return { outcome: reply, meta: metaOf(reply.callId, reply.startedAt, reply.endedAt) };
  } catch (error) {
    const callId = newId(house.sources, "call");
    const failure = failureOf(error, callId);
    if (failure.code === "INTERNAL") house.log.error({ err: error, callId }, "a call failed");
    leaveTrace(connection, name, failure.code);
    const stage = failure.code === "QUEUE_OVERLOADED" ? "queue" : "work";
    const family = house.tools.get(name)?.family;
    return { outcome: { failure, stage, family }, meta: metaOf(callId, startedAt, house.sources.now()) };
  } finally {
    cancellations.end(id);
  }
}

/** The usage event of a call that did not come as far as dispatch (MC18). */
export function leaveTrace(
  { house, developerId }: Pick<Connection, "house" | "developerId">,
  tool: string | undefined,
  code: ErrorCode,
): void {
  leaveUsage(house, { tool, code, transport: "mcp", developerId });
}

function progressOf(context: ServerContext, now: () => number): ((progress: Progress) => void) | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return throttleProgress((progress) => {
    const params = { progressToken, ...progress };
    void context.mcpReq.notify({ method: "notifications/progress", params } as never).catch(() => undefined);
  }, now);
}

/** An answer as MCP writes it (MC10): the same facts as text and as structure, because clients show the model only one. */
function toResult({ outcome, meta }: Answer, revision: string): Record<string, unknown> {
  if ("value" in outcome) return { ...rendered(outcome.value, meta), isError: false };
  const { failure, stage } = outcome;
  const { code, message } = failure;
  if (stage === "lookup") throw new ProtocolError(rpcErrors.invalidParams, message, failure);
  if (stage === "arguments" && revision < firstRevisionWithArgumentResults) {
    throw new ProtocolError(rpcErrors.invalidParams, message, failure);
  }
  if (stage === "queue" && revision < firstModernRevision) {
    throw new ProtocolError(rpcErrors.overloaded, message, { code, message, details: failure["details"] });
  }
  return { ...rendered(failureIn(outcome.family, failure), meta), isError: true };
}

function rendered(value: unknown, meta: Meta): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    ...(isObject ? { structuredContent: value } : {}),
    _meta: meta,
  };
}

const revisionOf = (server: Server, era: "legacy" | "modern", { revision }: Connection): string =>
  era === "modern" ? firstModernRevision : (server.getNegotiatedProtocolVersion() ?? revision ?? oldestRevision);

function clientNameOf(server: Server, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CLIENT_INFO_META_KEY] as { name?: unknown } | undefined;
  return textOf(declared?.name) ?? server.getClientVersion()?.name;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
