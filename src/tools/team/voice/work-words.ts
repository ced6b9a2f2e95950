import { z } from "zod";
import { ScopeCheckId, WarningId } from "../../../contract/ids.ts";
import { actions, taskTypes, verdictWords } from "../../../contract/words.ts";
import { Branch, Repo, RepoPath, SessionId } from "./words.ts";

/** Arguments about work that mean the same for tasks and workstreams. */

export const Title = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .describe("What it is called; a start names the title that was checked.");
export const Description = z.string().trim().max(20_000).describe("More about it.");
export const Scope = z.string().trim().min(1).max(2_000).describe("What belongs to it and what does not.");
export const Action = z.enum(actions).describe("What is done to it.");
export const Component = z.string().trim().min(1).max(40).describe("The layer or part, by the team's name for it.");
export const Priority = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .describe("How soon, by the team's word for it: low, normal, high, urgent.");
export const TaskType = z.enum(taskTypes).describe("Kind of task, for information only.");
export const TargetFiles = z.array(RepoPath).max(50).describe("Files it will change, relative to the repository.");

/** What every check, plan and start of work may say. */
export const aboutWork = {
  title: Title,
  description: Description.optional(),
  scope: Scope.optional(),
  action: Action.optional(),
  component: Component.optional(),
  repo: Repo.optional(),
  branch: Branch.optional(),
  session_id: SessionId.optional(),
};

/** What a start brings along to get through the gate. */
export const startKeys = {
  check_id: ScopeCheckId.optional().describe("The check that was made for it."),
  scope_verdict: z
    .array(
      z.strictObject({
        candidate_id: z.string().min(1).max(100).describe("A candidate of the check."),
        verdict: z.enum(verdictWords).describe("Whether it is the same work."),
        reason: z.string().trim().min(10).max(2_000).describe("Why, in a sentence."),
      }),
    )
    .max(20)
    .optional()
    .describe("One verdict for each candidate of the check."),
  warning_id: WarningId.optional().describe("With confirmation_reason and no check_id: the older way in."),
  confirmation_reason: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe("Why to go on although it is done already; ask your developer."),
};

export const ResultSummary = z.string().trim().min(1).max(20_000).describe("The outcome.");
export const Reason = z.string().trim().min(1).max(2_000).describe("Why it is given up.");
