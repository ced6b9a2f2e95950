import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const data = z.object({
  workflow_id: z.string().nullable(),
  task_id: z.string().nullable(),
  kind: z.string(),
  sequence: z.number(),
  /** How far a milestone says the task is. */
  progress: z.number().optional(),
});

export const noteEvent = defineEvents("note", {
  added: { announced: "note:created", data },
  decided: { announced: "decision:created", data },
  raised: { announced: "issue:created", data },
  reached: { announced: "milestone:created", data },
  resolved: { announced: "issue:updated", data: z.object({ workflow_id: z.string().nullable() }) },
});
