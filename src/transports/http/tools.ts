import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Catalogue } from "../../contract/listing.ts";
import type { ToolEntry } from "../../contract/plain-routes.ts";
import { inputSchemaOf } from "../../contract/projections/schema.ts";
import { Refusal } from "../../contract/refusal.ts";
import { isRead, routesOf } from "../../contract/tool-routes.ts";
import { callMakers } from "../../contract/words.ts";
import type { Call } from "../../engine/call.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { unwrapCall } from "../../engine/wrapped-call.ts";
import { throttleProgress } from "../mcp/progress.ts";
import { isObject } from "../mcp/rpc.ts";
import { answer, answerReply, envelopeOf, transportOf } from "./answer.ts";
import { streamEvents } from "./event-stream.ts";
import { sendFailure } from "./failures.ts";
import { isFromHere } from "./guards.ts";
import { abortOnHangUp } from "./hang-up.ts";
import type { Identity } from "./identity.ts";
import { folderOf, seatOf } from "./mcp-connection.ts";
import { readQuery } from "./query.ts";

interface ToolRoutes {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
}

/** Every tool over plain HTTP: `/api/tools/:name` in the envelope, `/api/mcp` as the MCP text would be (HT10, HT11). */
export function mountTools(app: FastifyInstance, { house, identity, catalogue }: ToolRoutes): void {
  app.get("/api/tools", async (request, reply) => {
    await identity.identify(request.raw);
    const tools: ToolEntry[] = catalogue.tools.map(({ family, effect, entry }) => ({ family, effect, ...entry }));
    return answer(house, request, reply, { tools });
  });

  app.post<{ Params: { name: string } }>("/api/tools/:name", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    const call = unwrapCall(house, callOf(request, reply, { tool: request.params.name, args: request.body, caller }));
    if (request.headers.accept !== "text/event-stream") return answerReply(reply, await dispatch(house, call));
    return streamEvents(reply, async (send) => {
      const onProgress = throttleProgress((progress) => send("progress", progress), house.sources.now);
      send("result", envelopeOf(await dispatch(house, { ...call, onProgress })));
    });
  });

  for (const { tool, route } of routesOf(house.tools.values()).filter((one) => !isRead(one))) {
    const { path, key } = route;
    const fields = inputSchemaOf(tool.input).properties ?? {};
    app.post<{ Params: { id?: string } }>(path, async (request, reply) => {
      const caller = await identity.identify(request.raw);
      const named = key === undefined ? undefined : readQuery({ [key]: request.params.id }, fields);
      const args = named === undefined ? request.body : withNamed(request.body, named);
      const call = callOf(request, reply, { tool: tool.name, args, caller });
      return answerReply(reply, await dispatch(house, call));
    });
  }

  app.post("/api/mcp", async (request, reply) => {
    const { tool, args, token } = readBody(request.body);
    const caller = await identity.identify(request.raw, token);
    const result = await dispatch(house, unwrapCall(house, callOf(request, reply, { tool, args, caller })));
    if (!result.ok) return sendFailure(reply, result.failure);
    return reply.type("application/json; charset=utf-8").send(JSON.stringify(result.value));
  });
}

/** What the address names counts; a body that is no object is left for the schema to refuse. */
const withNamed = (body: unknown, named: Record<string, unknown>): unknown =>
  body === undefined || body === null ? named : isObject(body) ? { ...body, ...named } : body;

function readBody(body: unknown): { tool: string; args: unknown; token: string | undefined } {
  const { tool, arguments: args, token } = isObject(body) ? body : {};
  if (typeof tool !== "string" || tool === "") {
    throw new Refusal("INVALID_REQUEST", "The body is an object with the name of a tool.", "Send {tool, arguments}.");
  }
  return { tool, args, token: typeof token === "string" ? token : undefined };
}

function callOf(request: FastifyRequest, reply: FastifyReply, call: Pick<Call, "tool" | "args" | "caller">): Call {
  const key = request.headers["idempotency-key"];
  return {
    ...call,
    transport: transportOf(request),
    signal: abortOnHangUp(reply),
    leavesNotices: request.headers["x-crewdeck-notices"] === "leave",
    madeBy: callMakers.find((part) => part === request.headers["x-crewdeck-made-by"]),
    // A path of another machine means nothing here.
    folder: isFromHere(request.raw) ? folderOf(request.raw) : undefined,
    seat: seatOf(request.raw),
    idempotencyKey: typeof key === "string" && key !== "" ? key : undefined,
  };
}
