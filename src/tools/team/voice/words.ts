import { z } from "zod";
import { AgentId, TaskId, WorkflowId } from "../../../contract/ids.ts";

export { timeOf, timeOrNull } from "../../time.ts";

/** Arguments that mean the same in every tool of this family. A key must not mean two things in one door. */

export const SessionId = AgentId.describe("Your session, from covibe_session start; the call is linked to it.");
export const TaskRef = TaskId.describe("The task.");
export const WorkstreamRef = WorkflowId.describe("The workstream.");
export const Repo = z.string().trim().min(1).max(500).describe("The repository; use the same name across the team.");
export const Branch = z.string().trim().min(1).max(250).describe("The branch.");
export const Worktree = z.string().trim().min(1).max(4_096).describe("The folder of the working copy.");
export const Limit = z.number().int().min(1).max(100).describe("At most this many.");

/** Relative to the repository's top: never absolute, never upwards, in one line. */
export const RepoPath = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^(?![/\\])(?![A-Za-z]:)(?!(?:.*[/\\])?\.\.(?:[/\\]|$)).+$/);
