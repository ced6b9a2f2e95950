import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Failure, failureOf, teamFailure } from "../../contract/envelope.ts";
import { errors } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Route } from "../../contract/tool.ts";
import { routesOf } from "../../contract/tool-routes.ts";
import type { House } from "../../engine/house.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { largestFrame, NotJson } from "../json-guard.ts";
import { errorMessage, isObject, rpcErrors } from "../mcp/rpc.ts";
import { adviceHeaders, answerFailure, transportOf } from "./answer.ts";
import { TooLarge } from "./body.ts";

/** How whatever goes wrong before or beside a call is answered: each route in the shape it promises. */
export function mountFailures(app: FastifyInstance, house: House): void {
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode;
    // Nothing of the request is left to come, so the connection can go on (HT13).
    if (request.raw.complete) reply.removeHeader("connection");
    const known = error instanceof Refusal ? error : asRefusal(error, status);
    const failure = failureOf(known, request.id);
    const call = callIn(house, request);
    if (call) leaveUsage(house, { tool: call.tool, code: failure.code, transport: transportOf(request) });
    const route = request.routeOptions.url;
    if (route === "/mcp" && failure.code === "INVALID_REQUEST") return sendRpcError(reply, known, failure, status);
    if (route !== "/api/mcp") return answerFailure(house, request, reply, known, status);
    if (failure.code === "INTERNAL") house.log.error({ err: error, callId: request.id }, "a request failed");
    return sendFailure(reply, failure, status);
  });
  app.setNotFoundHandler((request, reply) =>
    answerFailure(house, request, reply, new Refusal("NOT_FOUND", "Nothing answers at that address.")),
  );
}

/** What the HTTP layer itself refuses: too large, not JSON, broken. Its words may name paths, so ours are used. */
export function asRefusal(error: unknown, status: number | undefined): unknown {
  if (status === 413) {
    const most = error instanceof TooLarge ? error.most : largestFrame;
    const next = most < largestFrame ? "Send the token in the header to send more." : "Send less at once.";
    return invalid(`A body has at most ${most} bytes.`, next);
  }
  if (status === 415) return invalid("Bodies are plain JSON.", "Send content-type application/json, uncompressed.");
  if (status === undefined || status < 400 || status > 499) return error;
  return invalid("The request could not be read.", "Send a plain HTTP request.");
}

const invalid = (message: string, hint: string): Refusal => new Refusal("INVALID_REQUEST", message, hint);

/** The call that a refused request stood for: it leaves its usage event like any other (HT15). */
function callIn(house: House, request: FastifyRequest): { tool: string | undefined } | undefined {
  const { url } = request.routeOptions;
  if (request.method !== "POST") return toolAt(house, "GET", url);
  const body = isObject(request.body) ? request.body : undefined;
  switch (url) {
    case "/api/tools/:name":
      return { tool: textOf((request.params as { name?: unknown }).name) };
    case "/api/mcp":
      return { tool: textOf(body?.["tool"]) };
    case "/mcp":
      if (body && body["method"] !== "tools/call") return undefined;
      return { tool: textOf(isObject(body?.["params"]) ? body["params"]["name"] : undefined) };
    default:
      return toolAt(house, "POST", url);
  }
}

function toolAt(house: House, method: Route["method"], url: string | undefined): { tool: string } | undefined {
  const found = routesOf(house.tools.values()).find(({ route }) => route.method === method && route.path === url);
  return found && { tool: found.tool.name };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function sendRpcError(reply: FastifyReply, known: unknown, failure: Failure, status: number | undefined): FastifyReply {
  const code = known instanceof NotJson ? rpcErrors.parse : rpcErrors.invalidRequest;
  return reply.code(status ?? 400).send(errorMessage({ code, message: failure.message, id: null }));
}

/** A failure on `/api/mcp` carries both the plain fields and the team family's shape, so either reader finds its own. */
export function sendFailure(reply: FastifyReply, failure: Failure, status?: number): FastifyReply {
  return reply
    .code(status ?? errors[failure.code].http)
    .headers(adviceHeaders(failure))
    .send(teamFailure(failure));
}
