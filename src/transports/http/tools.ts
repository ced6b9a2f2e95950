import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Failure, failureOf } from "../../contract/envelope.ts";
import { errors } from "../../contract/errors.ts";
import type { Catalogue } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Call } from "../../engine/call.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { newId } from "../../engine/sources.ts";
import { leaveUsage } from "../../engine/usage.ts";
import { answer, answerReply, setRetryAfter } from "./answer.ts";
import { abortOnHangUp } from "./hang-up.ts";
import type { Identity } from "./identity.ts";

interface ToolRoutes {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
}

/** Every tool over plain HTTP: `/api/tools/:name` in the envelope, `/api/mcp` as the MCP text would be (C4). */
export function mountTools(app: FastifyInstance, { house, identity, catalogue }: ToolRoutes): void {
  app.get("/api/tools", async (request, reply) => {
    await identity.identify(request.raw);
    return answer(house, request, reply, {
      tools: catalogue.tools.map(({ family, effect, entry }) => ({ family, effect, ...(entry as object) })),
    });
  });

  app.post<{ Params: { name: string } }>("/api/tools/:name", async (request, reply) => {
    const { name } = request.params;
    const caller = await identity.identify(request.raw).catch((error: unknown) => refuseEarly(house, name, error));
    const call = callOf(request, reply, { tool: name, args: request.body ?? {}, caller });
    return answerReply(reply, await dispatch(house, call));
  });

  app.post("/api/mcp", async (request, reply) => {
    const body = request.body as Partial<Record<string, unknown>> | undefined;
    try {
      const { tool, args, token } = readBody(body);
      const caller = await identity.identify(request.raw, token).catch((error: unknown) => refuseEarly(house, tool, error));
      const result = await dispatch(house, callOf(request, reply, { tool, args, caller }));
      return result.ok ? reply.send(JSON.stringify(result.value)) : sendFailure(reply, result.failure);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "INVALID_REQUEST") leaveUsage(house, { tool: undefined, code: error.code, transport: "http" });
      return sendFailure(reply, failureOf(error, newId(house.sources, "call")));
    }
  });
}

function readBody(body: unknown): { tool: string; args: unknown; token: string | undefined } {
  const fields = (typeof body === "object" && body !== null && !Array.isArray(body) ? body : {}) as Record<string, unknown>;
  const { tool, arguments: args, token } = fields;
  if (typeof tool !== "string" || tool === "") {
    throw new Refusal("INVALID_REQUEST", "The body is an object with the name of a tool.", "Send {tool, arguments}.");
  }
  return { tool, args: args ?? {}, token: typeof token === "string" ? token : undefined };
}

function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Pick<Call, "tool" | "args" | "caller">,
): Call {
  const key = request.headers["idempotency-key"];
  return {
    ...call,
    transport: request.headers["x-crewdeck-client"] === "cli" ? "cli" : "http",
    signal: abortOnHangUp(reply),
    idempotencyKey: typeof key === "string" && key !== "" ? key : undefined,
  };
}

/** A call without a valid token still leaves its usage event (C9). */
function refuseEarly(house: House, tool: string, error: unknown): never {
  if (error instanceof Refusal) leaveUsage(house, { tool, code: error.code, transport: "http" });
  throw error;
}

/** A failure on `/api/mcp` carries both the plain fields and the team family's shape, so either reader finds its own. */
export function sendFailure(reply: FastifyReply, failure: Failure, status?: number): FastifyReply {
  setRetryAfter(reply, failure["retryAfterSeconds"]);
  return reply.code(status ?? errors[failure.code].http).send({
    ...failure,
    status: "error",
    feedback: { type: "error", required_action: failure.hint },
    data: { code: failure.code, ...("details" in failure ? { details: failure["details"] } : {}) },
  });
}
