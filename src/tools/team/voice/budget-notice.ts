import { feedbackEvent } from "../../../contract/event.ts";
import type { AnyTool } from "../../../contract/tool.ts";
import type { Budget } from "../../../domain/usage/budget-model.ts";
import { takePassedBudgets } from "../../../domain/usage/budget-operations.ts";
import { dollarsOf } from "../../../domain/usage/money-model.ts";
import type { Work } from "../../../domain/work.ts";
import type { TeamAnswer } from "./answer.ts";

/**
 * Lets a tool of this family say, once, that a budget was passed. Telemetry comes from hooks and watchers that nobody
 * reads, so the warning waits for the next call an agent makes. It costs one look into an index.
 */
export const withBudgetNotice = (tool: AnyTool): AnyTool => ({
  ...tool,
  async handle(input: Record<string, unknown>, work: Work, facts: unknown): Promise<TeamAnswer> {
    const answer = (await tool.handle(input, work, facts)) as TeamAnswer;
    const passed = await takePassedBudgets(work);
    return passed.length === 0 ? answer : addNotice(work, answer, passed);
  },
});

/** A graver answer keeps its status and its own next step; the budget comes after it. */
function addNotice(work: Work, answer: TeamAnswer, passed: readonly Budget[]): TeamAnswer {
  for (const budget of passed) {
    work.record(feedbackEvent("warning", budget.subjectId, { message, required_action: advice, code }));
  }
  const isPlain = answer.status === "ok";
  const { type, required_action: next } = answer.feedback;
  return {
    status: isPlain ? "warning" : answer.status,
    message: `${answer.message} ${message}`,
    feedback: { type: isPlain ? "warning" : type, required_action: next === null ? advice : `${next} ${advice}` },
    data: { ...answer.data, budget_warnings: passed.map(noticeOf) },
  };
}

const code = "BUDGET_PASSED";
const message = "A budget has been passed; data.budget_warnings says which.";
const advice = "Tell the developer that the budget is passed, and ask before you use many more tokens.";

const noticeOf = (budget: Budget) => ({
  code,
  kind: budget.kind,
  subject_id: budget.subjectId,
  limit_usd: budget.limitNanos === null ? null : dollarsOf(budget.limitNanos),
  spent_usd: dollarsOf(budget.spentNanos),
});
