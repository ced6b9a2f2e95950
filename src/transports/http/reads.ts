import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../contract/refusal.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { listEvents } from "../../engine/view.ts";
import { answer, answerReply } from "./answer.ts";
import type { Identity } from "./identity.ts";

type Query = Record<string, string | string[] | undefined>;

/** Reads for the deck and for scripts. What a read tool already answers is asked of that tool. */
export function mountReads(app: FastifyInstance, { house, identity }: { house: House; identity: Identity }): void {
  for (const stream of ["work", "usage"] as const) {
    app.get<{ Querystring: Query }>(stream === "work" ? "/api/events" : "/api/usage", async (request, reply) => {
      const viewer = await identity.identify(request.raw);
      const { after, kind } = request.query;
      const page = await listEvents(
        house,
        { after: textOf("after", after), kind: textOf("kind", kind), limit: numberOf(request.query["limit"], 100), stream },
        viewer,
      );
      return answer(house, request, reply, page);
    });
  }
  app.get<{ Querystring: Query }>("/api/agents", (request, reply) =>
    readTool(request, reply, "agent_list", {
      ...listed(request.query, ["status"]),
      ...plain(request.query, ["role", "runtime"]),
      ...numbers(request.query, ["limit"]),
    }),
  );
  app.get<{ Querystring: Query }>("/api/messages", (request, reply) =>
    readTool(request, reply, "message_list", {
      ...plain(request.query, ["agent_id", "status", "workflow_id", "thread_id"]),
      ...listed(request.query, ["message_type", "priority"]),
      ...numbers(request.query, ["limit", "since"]),
    }),
  );

  async function readTool(
    request: FastifyRequest,
    reply: FastifyReply,
    tool: string,
    args: Record<string, unknown>,
  ): Promise<FastifyReply> {
    const caller = await identity.identify(request.raw);
    return answerReply(reply, await dispatch(house, { tool, args, caller, transport: "http" }));
  }
}

function textOf(name: string, value: string | string[] | undefined): string | undefined {
  if (Array.isArray(value)) throw new Refusal("INVALID_REQUEST", `${name} is given once.`);
  return value;
}

function numberOf(value: string | string[] | undefined, missing: number): number {
  return value === undefined ? missing : Number(value);
}

const given = (query: Query, names: readonly string[]): [string, string | string[]][] =>
  names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));

const plain = (query: Query, names: readonly string[]): Record<string, unknown> => Object.fromEntries(given(query, names));

const listed = (query: Query, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(given(query, names).map(([name, value]) => [name, [value].flat().flatMap((item) => item.split(","))]));

const numbers = (query: Query, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(given(query, names).map(([name, value]) => [name, Number(value)]));
