import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../contract/caller.ts";
import type { House } from "../../engine/house.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { McpEndpoint } from "../mcp/endpoint.ts";
import { makeServer } from "../mcp/gate.ts";
import { readMessage } from "../mcp/message.ts";
import { errorMessage, type Fault } from "../mcp/rpc.ts";
import { connectionOf, type McpParts } from "./mcp-connection.ts";

export function openEndpoint(parts: McpParts, callerOf: (request: IncomingMessage) => Caller | undefined): McpEndpoint {
  const { house } = parts;
  return new McpEndpoint({
    now: house.sources.now,
    principalOf: (request) => callerOf(request)?.tokenId ?? "",
    open: (ask) => house.presence.open(ask),
    makeServer: (request, era, open) =>
      makeServer(connectionOf(parts, request, { caller: callerOf(request), open, way: "http" }), era),
  });
}

/** Answers a request that was admitted. */
export async function answerMcp(
  house: House,
  endpoint: McpEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
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
}

/** Batches belong to one of the older revisions and are left to the SDK, which limits them. */
const readBody = ({ method, body }: FastifyRequest): { message: unknown } | { fault: Fault } =>
  method !== "POST" || Array.isArray(body) ? { message: body } : readMessage(body);
