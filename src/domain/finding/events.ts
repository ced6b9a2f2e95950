import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const findingEvent = defineEvents("finding", {
  /** One for each call: the subject is where they came from. */
  ingested: {
    announced: "finding:ingested",
    data: z.object({
      total: z.number(),
      created: z.number(),
      updated: z.number(),
      unchanged: z.number(),
      errors: z.number(),
      closed: z.number().optional(),
      reopened: z.number().optional(),
    }),
  },
  decided: {
    announced: "finding:decided",
    data: z.object({ status: z.string(), previous: z.string(), decision_id: z.string() }),
  },
  planned: { announced: "finding:planned", data: z.object({ task_id: z.string() }) },
  fixed: { announced: "finding:fixed", data: z.object({ task_id: z.string(), proof: z.string() }) },
  reopened: { announced: "finding:reopened", data: z.object({ task_id: z.string() }) },
  packed: { announced: "finding:packed", data: z.object({ decisions: z.number(), hits: z.number() }) },
});
