import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { inputSchemaOf } from "../../contract/projections/schema.ts";
import { dispatch } from "../../engine/dispatch.ts";
import type { House } from "../../engine/house.ts";
import { answerReply, transportOf } from "./answer.ts";
import type { Identity } from "./identity.ts";
import { type Query, readQuery } from "./query.ts";

/** What `/api/usage/report` answers, as a table for spreadsheets. */
export function mountUsage(app: FastifyInstance, { house, identity }: { house: House; identity: Identity }): void {
  const filters = inputSchemaOf(house.tools.get("usage_report")?.input ?? z.object({})).properties ?? {};
  app.get<{ Querystring: Query }>("/api/usage/report.csv", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    const args = { ...readQuery(request.query, filters), format: "csv" };
    const result = await dispatch(house, { tool: "usage_report", args, caller, transport: transportOf(request) });
    if (!result.ok) return answerReply(reply, result);
    const { group_by, csv } = result.value as { group_by: string; csv: string };
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="usage-by-${group_by}.csv"`)
      .send(csv);
  });
}
