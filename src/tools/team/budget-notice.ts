import type { z } from "zod";
import { type Feedback, Told } from "../../contract/told.ts";
import type { ToolSpec } from "../../contract/tool.ts";
import type { Budget } from "../../domain/usage/budget-model.ts";
import { takePassedBudgets } from "../../domain/usage/budget-operations.ts";
import { dollarsOf } from "../../domain/usage/money-model.ts";
import type { Work } from "../../domain/work.ts";
import type { TeamAnswer, TeamTold } from "./voice/answer.ts";

type TeamTool = ToolSpec<unknown, z.ZodObject, typeof TeamAnswer, unknown, unknown>;

/**
 * Lets a tool of this family say, once, that a budget was passed. Telemetry comes from hooks and watchers that nobody
 * reads, so the warning waits for the next call an agent makes. It costs one look into an index.
 */
export const withBudgetNotice = <Tool extends TeamTool>(tool: Tool): Tool => ({
  ...tool,
  async handle(input: Record<string, unknown>, work: Work, facts: unknown): Promise<TeamTold> {
    const said = await tool.handle(input, work, facts);
    const passed = await takePassedBudgets(work);
    return passed.length === 0 ? said : addNotice(Told.of(said), passed);
  },
});

/** A graver answer keeps its status and its own next step; the budget comes after it. */
function addNotice({ answer, feedback }: Told<TeamAnswer>, passed: readonly Budget[]): Told<TeamAnswer> {
  const isPlain = answer.status === "ok";
  const { type, required_action: next } = answer.feedback;
  const noticed: TeamAnswer = {
    status: isPlain ? "warning" : answer.status,
    message: `${answer.message} ${message}`,
    feedback: { type: isPlain ? "warning" : type, required_action: next === null ? advice : `${next} ${advice}` },
    data: { ...answer.data, budget_warnings: passed.map(noticeOf) },
  };
  return new Told(noticed, [...feedback, ...passed.map(feedbackOf)]);
}

const code = "BUDGET_PASSED";
const message = "A budget has been passed; data.budget_warnings says which.";
const advice = "Tell the developer that the budget is passed, and ask before you use many more tokens.";

const feedbackOf = ({ subjectId: subject }: Budget): Feedback => ({
  type: "warning",
  subject,
  message,
  requiredAction: advice,
  code,
});

const noticeOf = (budget: Budget) => ({
  code,
  kind: budget.kind,
  subject_id: budget.subjectId,
  limit_usd: budget.limitNanos === null ? null : dollarsOf(budget.limitNanos),
  spent_usd: dollarsOf(budget.spentNanos),
});
