import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../contract/refusal.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { listEvents } from "../../engine/view.ts";
import { answer, answerReply, transportOf } from "./answer.ts";
import type { Identity } from "./identity.ts";

type Query = Record<string, string | string[] | undefined>;

/** How the values of a query parameter become an argument. */
type Kind = "text" | "list" | "number";

const agentFilters = { status: "list", role: "text", runtime: "text", limit: "number" } as const;

const messageFilters = {
  agent_id: "text",
  status: "text",
  workflow_id: "text",
  thread_id: "text",
  message_type: "list",
  priority: "list",
  limit: "number",
  since: "number",
} as const;

const eventFilters = { after: "text", kind: "text", limit: "number" } as const;

/** Reads for the deck and for scripts. What a read tool already answers is asked of that tool. */
export function mountReads(app: FastifyInstance, { house, identity }: { house: House; identity: Identity }): void {
  for (const stream of ["work", "usage"] as const) {
    app.get<{ Querystring: Query }>(stream === "work" ? "/api/events" : "/api/usage", async (request, reply) => {
      const viewer = await identity.identify(request.raw);
      const { after, kind, limit = 100 } = readQuery(request.query, eventFilters);
      return answer(house, request, reply, await listEvents(house, { after, kind, limit, stream }, viewer));
    });
  }
  app.get<{ Querystring: Query }>("/api/agents", (request, reply) =>
    readTool(request, reply, "agent_list", agentFilters),
  );
  app.get<{ Querystring: Query }>("/api/messages", (request, reply) =>
    readTool(request, reply, "message_list", messageFilters),
  );

  async function readTool(
    request: FastifyRequest<{ Querystring: Query }>,
    reply: FastifyReply,
    tool: string,
    filters: Record<string, Kind>,
  ): Promise<FastifyReply> {
    const caller = await identity.identify(request.raw);
    const args = readQuery(request.query, filters);
    return answerReply(reply, await dispatch(house, { tool, args, caller, transport: transportOf(request) }));
  }
}

interface Values {
  readonly text: string;
  readonly list: string[];
  readonly number: number;
}

type Read<Filters extends Record<string, Kind>> = { [Name in keyof Filters]?: Values[Filters[Name]] };

/** A filter that is misspelt must not answer more than was asked for, so what is not known is refused. */
function readQuery<Filters extends Record<string, Kind>>(query: Query, filters: Filters): Read<Filters> {
  const read: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(query)) {
    const kind = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (kind === undefined)
      throw new Refusal("INVALID_REQUEST", `The filters here are ${Object.keys(filters).join(", ")}.`);
    const values = [given ?? ""].flat();
    if (kind !== "list" && values.length > 1) throw new Refusal("INVALID_REQUEST", `${name} is given once.`);
    read[name] = readValue(kind, values);
  }
  return read as Read<Filters>;
}

function readValue(kind: Kind, values: readonly string[]): Values[Kind] {
  const [first = ""] = values;
  switch (kind) {
    case "text":
      return first;
    case "list":
      return values.flatMap((value) => value.split(","));
    case "number":
      return first.trim() === "" ? Number.NaN : Number(first);
  }
}
