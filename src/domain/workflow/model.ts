import { z } from "zod";
import { DeveloperId, WorkflowId } from "../../contract/ids.ts";
import { lifecycle } from "../../contract/lifecycle.ts";
import { sourceTypes, workflowKinds } from "../../contract/words.ts";

/** What was decided before the work began. The tasks themselves are records of their own. */
export const Plan = z.object({
  summary: z.string(),
  approach: z.string(),
  risks: z.array(z.string()),
  assumptions: z.array(z.string()),
});
export type Plan = z.infer<typeof Plan>;

export const Workflow = z.object({
  id: WorkflowId,
  kind: z.enum(workflowKinds),
  developerId: DeveloperId,
  name: z.string(),
  status: z.enum(lifecycle),
  statusReason: z.string().nullable(),
  sourceType: z.enum(sourceTypes),
  sourceRef: z.string().nullable(),
  sourceContent: z.string(),
  repositoryPath: z.string().nullable(),
  maxParallel: z.number().int(),
  /** Parallel tasks get worktrees of their own. */
  makesWorktrees: z.boolean(),
  /** Made by the server around a task, and closed by it when nothing open remains inside. */
  endsWithTasks: z.boolean(),
  plan: Plan.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Workflow = z.infer<typeof Workflow>;
