import type { FastifyInstance } from "fastify";
import type { JsonSchema } from "../../contract/json-schema.ts";
import type { Catalogue } from "../../contract/listing.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { listEvents } from "../../engine/view.ts";
import { answer, answerReply, transportOf } from "./answer.ts";
import type { Identity } from "./identity.ts";
import { type Query, readQuery } from "./query.ts";

interface ReadRoutes {
  readonly house: House;
  readonly identity: Identity;
  readonly catalogue: Catalogue;
}

/** Routes that are another way to ask a read tool; its arguments are the filters. */
const toolReads: Readonly<Record<string, string>> = { "/api/agents": "agent_list", "/api/messages": "message_list" };

const eventFilters: Readonly<Record<string, JsonSchema>> = {
  after: { type: "string" },
  kind: { type: "string" },
  limit: { type: "integer" },
};

/** Reads for the deck and for scripts. */
export function mountReads(app: FastifyInstance, { house, identity, catalogue }: ReadRoutes): void {
  for (const [route, tool] of Object.entries(toolReads)) {
    const filters = catalogue.tools.find(({ name }) => name === tool)?.entry.inputSchema.properties ?? {};
    app.get<{ Querystring: Query }>(route, async (request, reply) => {
      const caller = await identity.identify(request.raw);
      const args = readQuery(request.query, filters);
      return answerReply(reply, await dispatch(house, { tool, args, caller, transport: transportOf(request) }));
    });
  }
  for (const stream of ["work", "usage"] as const) {
    app.get<{ Querystring: Query }>(stream === "work" ? "/api/events" : "/api/usage", async (request, reply) => {
      const viewer = await identity.identify(request.raw);
      const { after, kind, limit = 100 } = readQuery(request.query, eventFilters) as Partial<EventFilters>;
      return answer(house, request, reply, await listEvents(house, { after, kind, limit, stream }, viewer));
    });
  }
}

/** A limit that is no number is refused by what it is given to. */
interface EventFilters {
  readonly after: string;
  readonly kind: string;
  readonly limit: number;
}
