import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { receiptLevels } from "../../contract/words.ts";

export const receiptEvent = defineEvents("receipt", {
  settled: {
    announced: "task:updated",
    data: z.object({
      workflow_id: z.string().nullable(),
      level: z.enum(receiptLevels),
      passed: z.number(),
      failed: z.number(),
    }),
  },
  accepted: { announced: "task:updated", data: z.object({ workflow_id: z.string().nullable() }) },
});

export const permitEvent = defineEvents("checks", {
  allowed: { announced: "checks:allowed", data: z.object({ config_hash: z.string() }) },
  forbidden: { announced: "checks:forbidden", data: z.object({}) },
});
