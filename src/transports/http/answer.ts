import type { FastifyReply, FastifyRequest } from "fastify";
import { failedEnvelope, failureOf, metaOf, okEnvelope } from "../../contract/envelope.ts";
import { errors } from "../../contract/errors.ts";
import type { Reply } from "../../engine/call.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";

/** Answers in the HTTP envelope (C4). */
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
  setRetryAfter(reply, failure["retryAfterSeconds"]);
  return reply.code(status ?? errors[failure.code].http).send(failedEnvelope(failure, requestMeta(house, request)));
}

/** What became of a call, in the envelope. */
export function answerReply(reply: FastifyReply, result: Reply): FastifyReply {
  const meta = metaOf(result.callId, result.startedAt, result.endedAt);
  if (result.ok) return reply.send(okEnvelope(result.value, meta));
  setRetryAfter(reply, result.failure["retryAfterSeconds"]);
  return reply.code(errors[result.failure.code].http).send(failedEnvelope(result.failure, meta));
}

export function setRetryAfter(reply: FastifyReply, seconds: unknown): void {
  if (typeof seconds === "number") reply.header("retry-after", seconds);
}

const requestMeta = (house: House, request: FastifyRequest) => {
  const now = house.sources.now();
  return metaOf(request.id, Math.round(now - (performance.now() - startOf(request))), now);
};

const starts = new WeakMap<FastifyRequest, number>();

export const markStart = (request: FastifyRequest): void => void starts.set(request, performance.now());

const startOf = (request: FastifyRequest): number => starts.get(request) ?? performance.now();
