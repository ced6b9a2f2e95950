import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

/** Ids and numbers only: the words belong to the work itself and are hidden with it. */
export const auditEvent = defineEvents("parallel_work", {
  audit: {
    announced: "parallel_work.audit",
    data: z.object({
      compared: z.number(),
      running_conflicts: z.number(),
      pairs: z.array(z.object({ one: z.string(), other: z.string(), score: z.number() })),
      omitted: z.number(),
    }),
  },
});

export const summaryEvent = defineEvents("weekly_summary", {
  generated: {
    announced: "weekly_summary.generated",
    data: z.object({
      since: z.string(),
      until: z.string(),
      completed: z.number(),
      planned: z.number(),
      active: z.number(),
      blockers: z.number(),
      decisions: z.number(),
      overlap_warnings: z.number(),
      parallel_audits: z.number(),
      agent_sessions: z.number(),
    }),
  },
});
