import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type Failure,
  failedEnvelope,
  failureOf,
  type HttpEnvelope,
  type Meta,
  metaOf,
  okEnvelope,
} from "../../contract/envelope.ts";
import { errors } from "../../contract/errors.ts";
import type { Reply, Transport } from "../../engine/call.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";

/** Answers in the HTTP envelope (HT1). */
export function answer(house: House, request: FastifyRequest, reply: FastifyReply, result: unknown): FastifyReply {
  return reply.send(okEnvelope(result, requestMeta(house, request)));
}

/** The public face of whatever was thrown, with the status its code has in the registry unless HTTP has a finer one. */
export function answerFailure(
  house: House,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  status?: number,
): FastifyReply {
  const callId = newId(house.sources, "call");
  const failure = failureOf(thrown, callId);
  if (failure.code === "INTERNAL") house.log.error({ err: thrown, callId }, "a request failed");
  return reply
    .code(status ?? errors[failure.code].http)
    .headers(adviceHeaders(failure))
    .send(failedEnvelope(failure, requestMeta(house, request)));
}

/** What became of a call, in the envelope. */
export function answerReply(reply: FastifyReply, result: Reply): FastifyReply {
  if (!result.ok) reply.code(errors[result.failure.code].http).headers(adviceHeaders(result.failure));
  return reply.send(envelopeOf(result));
}

export function envelopeOf(result: Reply): HttpEnvelope {
  const meta = metaOf(result.callId, result.startedAt, result.endedAt);
  return result.ok ? okEnvelope(result.value, meta) : failedEnvelope(result.failure, meta);
}

/** What HTTP has headers for: how to sign in, and how long to wait. */
export function adviceHeaders(failure: Failure): Record<string, string> {
  const { code } = failure;
  if (code === "UNAUTHORIZED") return { "www-authenticate": 'Bearer realm="crewdeck"' };
  if (errors[code].http !== 429) return {};
  const seconds = failure["retryAfterSeconds"];
  return { "retry-after": String(typeof seconds === "number" ? seconds : 1) };
}

/** Which way a request came in, for the usage event of its call. */
export const transportOf = (request: FastifyRequest): Transport => {
  if (request.routeOptions.url === "/mcp") return "mcp";
  return request.headers["x-crewdeck-client"] === "cli" ? "cli" : "http";
};

const requestMeta = (house: House, request: FastifyRequest): Meta => {
  const now = house.sources.now();
  return metaOf(request.id, Math.round(now - (performance.now() - startOf(request))), now);
};

const starts = new WeakMap<FastifyRequest, number>();

export const markStart = (request: FastifyRequest): void => void starts.set(request, performance.now());

const startOf = (request: FastifyRequest): number => starts.get(request) ?? performance.now();
