import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const noteEvent = defineEvents("note", {
  added: {
    announced: "note:created",
    data: z.object({
      workflow_id: z.string().nullable(),
      task_id: z.string().nullable(),
      kind: z.string(),
      sequence: z.number(),
    }),
  },
});
