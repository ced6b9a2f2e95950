import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { Handle } from "../../../domain/person/model.ts";
import { setBudget } from "../../../domain/usage/budget-operations.ts";
import { mostDollars, nanosOf } from "../../../domain/usage/money-model.ts";
import { defineTool } from "../../define.ts";
import { BudgetRecord, budgetRecord } from "../voice/budget.ts";

export default defineTool({
  name: "budget_set",
  family: "person",
  title: "Set a budget",
  summary: "Limit what a developer or a task may cost; an agent that passes the limit is told at its next call.",
  guidance: "Name a developer or a task. What was used before counts too. A limit of null lifts it.",
  effect: "change",
  isRepeatable: true,
  callers: ["person"],
  input: z.object({
    developer: Handle.optional().describe("The developer who may spend so much."),
    task_id: TaskId.optional().describe("The task that may cost so much."),
    limit_usd: z.number().min(0).max(mostDollars).nullable().describe("Dollars, or null for no limit."),
  }),
  output: BudgetRecord,
  refusals: ["INVALID_INPUT", "NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN"],
  examples: [
    { title: "for a developer", input: { developer: "$handle", limit_usd: 50 } },
    { title: "for a task", input: { task_id: "$task", limit_usd: 2.5 } },
  ],
  async handle(input, work) {
    return budgetRecord(
      await setBudget(work, {
        developer: input.developer,
        taskId: input.task_id,
        limitNanos: input.limit_usd === null ? null : Number(nanosOf(input.limit_usd)),
      }),
    );
  },
});
