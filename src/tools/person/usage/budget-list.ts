import { z } from "zod";
import { listBudgets } from "../../../domain/usage/budget-operations.ts";
import { defineTool } from "../../define.ts";
import { BudgetRecord, budgetRecord } from "../voice/budget.ts";

export default defineTool({
  name: "budget_list",
  family: "person",
  title: "List budgets",
  summary: "See the limits on cost and what was spent: the owner sees all, others their own and their tasks'.",
  effect: "read",
  callers: ["person"],
  input: z.object({}),
  output: z.object({ budgets: z.array(BudgetRecord.extend({ label: z.string() })) }),
  refusals: ["FORBIDDEN"],
  examples: [{ title: "all of them", input: {} }],
  async handle(_input, work) {
    const lines = await listBudgets(work);
    return { budgets: lines.map((line) => ({ ...budgetRecord(line), label: line.label })) };
  },
});
