import type { FastifyInstance } from "fastify";
import type { JsonSchema } from "../../contract/json-schema.ts";
import type { EventFilters } from "../../contract/plain-routes.ts";
import { inputSchemaOf } from "../../contract/projections/schema.ts";
import { isRead, routesOf } from "../../contract/tool-routes.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { listEvents } from "../../engine/view.ts";
import { answer, answerReply, transportOf } from "./answer.ts";
import { abortOnHangUp } from "./hang-up.ts";
import type { Identity } from "./identity.ts";
import { type Query, readQuery } from "./query.ts";

interface ReadRoutes {
  readonly house: House;
  readonly identity: Identity;
}

const eventFilters: Readonly<Record<keyof EventFilters, JsonSchema>> = {
  after: { type: "string" },
  kind: { type: "string" },
  limit: { type: "integer" },
  subject: { type: "string" },
  about: { type: "string" },
  without: { type: "string" },
  newest: { type: "boolean" },
  before: { type: "string" },
};

/** Reads for the deck and for scripts. */
export function mountReads(app: FastifyInstance, { house, identity }: ReadRoutes): void {
  for (const { tool, route } of routesOf(house.tools.values()).filter(isRead)) {
    const { path, key, args: own } = route;
    const filters = inputSchemaOf(tool.input).properties ?? {};
    app.get<{ Querystring: Query; Params: { id?: string } }>(path, async (request, reply) => {
      const caller = await identity.identify(request.raw);
      const named = key === undefined ? {} : readQuery({ [key]: request.params.id }, filters);
      const args = { ...own, ...readQuery(request.query, filters), ...named };
      return answerReply(
        reply,
        await dispatch(house, { tool: tool.name, args, caller, transport: transportOf(request) }),
      );
    });
  }
  for (const stream of ["work", "usage"] as const) {
    app.get<{ Querystring: Query }>(stream === "work" ? "/api/events" : "/api/usage", async (request, reply) => {
      const viewer = await identity.identify(request.raw);
      // A limit that is no number is refused by what it is given to.
      const { limit = 100, ...filters } = readQuery(request.query, eventFilters) as EventFilters;
      // A turn lasts until the answer is taken: pages that nobody reads must not pile up.
      const endTurn = await house.feed.replays.take(viewer.tokenId, abortOnHangUp(reply));
      reply.raw.once("close", endTurn);
      try {
        return answer(house, request, reply, await listEvents(house, { ...filters, limit, stream }, viewer));
      } catch (error) {
        endTurn();
        throw error;
      }
    });
  }
}
