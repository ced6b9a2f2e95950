import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

/** Counts, money and names of models; never anything else of what was reported (US5). */
export const spanEvent = defineEvents("span", {
  recorded: {
    announced: "usage:recorded",
    data: z.object({
      session_id: z.string().nullable(),
      task_id: z.string().nullable(),
      source: z.string(),
      model: z.string().nullable(),
      total_tokens: z.number(),
      cost_usd: z.number().nullable(),
      cost_source: z.string(),
      cost_mismatch: z.boolean(),
    }),
  },
});

const BudgetData = z.object({
  kind: z.string(),
  /** Whose it is: of a task, the one who made it. */
  developer_id: z.string(),
  limit_usd: z.number().nullable(),
});

export const budgetEvent = defineEvents("budget", {
  set: { announced: "budget:set", data: BudgetData },
  passed: { announced: "budget:passed", data: BudgetData.extend({ spent_usd: z.number() }) },
});
