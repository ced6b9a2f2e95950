import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../contract/caller.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import { selectionOf } from "../mcp/session.ts";
import { bearerOf, type Identity } from "./identity.ts";
import { askOf, type McpParts } from "./mcp-connection.ts";
import { OpenAnswers } from "./open-answers.ts";

/** What was found out about a request before it went to the SDK. */
const callers = new WeakMap<IncomingMessage, Caller>();

interface McpGate {
  readonly sessionCount: number;
  /** Ends what is open for a token: sessions, and streams that are still being written. */
  endAllOf(tokenId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * MCP at `/mcp`: streamable HTTP of both eras. A cookie does not open it, for a browser has no business here. The SDK
 * is a fifth of what there is to load, and many servers are never asked for it: the first request brings it.
 */
export function mountMcp(app: FastifyInstance, { identity, ...parts }: McpParts & { identity: Identity }): McpGate {
  const answers = new OpenAnswers();
  let endpoint: McpEndpoint | undefined;
  mountEndpoint(
    app,
    async (request, response) => {
      const caller = await identity.identifyToken(bearerOf(request), request);
      selectionOf(parts.catalogue, askOf(request));
      callers.set(request, caller);
      answers.add(caller.tokenId, response);
    },
    async (request, reply) => {
      const { answerMcp, openEndpoint } = await import("./mcp-endpoint.ts");
      endpoint ??= openEndpoint(parts, (asked) => callers.get(asked));
      return answerMcp(parts.house, endpoint, request, reply);
    },
  );
  return {
    get sessionCount() {
      return endpoint?.sessionCount ?? 0;
    },
    async endAllOf(tokenId) {
      answers.endAllOf(tokenId);
      await endpoint?.endSessionsOf(tokenId);
    },
    async close() {
      await endpoint?.close();
    },
  };
}

/** Gives `/mcp` to whoever answers. `admit` refuses who may not come in, before that one sees the request. */
export function mountEndpoint(
  app: FastifyInstance,
  admit: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    handler: async (request, reply) => {
      await admit(request.raw, reply.raw);
      return answer(request, reply);
    },
  });
}
