import { z } from "zod";
import type { Budget } from "../../../domain/usage/budget-model.ts";
import { dollarsOf } from "../../../domain/usage/money-model.ts";

export const BudgetRecord = z.object({
  subject_id: z.string().describe("The developer or the task."),
  kind: z.enum(["developer", "task"]),
  limit_usd: z.number().nullable().describe("Null where nothing limits it."),
  spent_usd: z.number(),
  passed_at: z.string().nullable(),
  warned_at: z.string().nullable().describe("When an agent was told."),
  updated_at: z.string(),
});

export const budgetRecord = (budget: Budget): z.input<typeof BudgetRecord> => ({
  subject_id: budget.subjectId,
  kind: budget.kind,
  limit_usd: budget.limitNanos === null ? null : dollarsOf(budget.limitNanos),
  spent_usd: dollarsOf(budget.spentNanos),
  passed_at: timeOrNull(budget.passedAt),
  warned_at: timeOrNull(budget.warnedAt),
  updated_at: new Date(budget.updatedAt).toISOString(),
});

const timeOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
