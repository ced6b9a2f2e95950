import { z } from "zod";
import { PhaseId, WorkflowId } from "../../contract/ids.ts";
import { lifecycle } from "../../contract/lifecycle.ts";
import { profiles } from "../../contract/words.ts";

export type Profile = (typeof profiles)[number];

/** How a workflow with a brief was brought to its end. */
export const Closing = z.object({
  status: z.enum(["completed", "failed", "partial"]),
  summary: z.string(),
  achievements: z.array(z.string()),
  limitations: z.array(z.string()),
  at: z.number(),
});
export type Closing = z.infer<typeof Closing>;

/** What a workflow is to achieve, and how far through its phases it is. */
export const Brief = z.object({
  workflowId: WorkflowId,
  objective: z.string(),
  description: z.string().nullable(),
  scope: z.string().nullable(),
  constraints: z.string().nullable(),
  profile: z.enum(profiles),
  totalPhases: z.number().int(),
  currentPhase: z.number().int(),
  /** Ends with its last task, as older clients expect. */
  endsByItself: z.boolean(),
  closing: Closing.nullable(),
  version: z.number(),
});
export type Brief = z.infer<typeof Brief>;

export const Phase = z.object({
  id: PhaseId,
  workflowId: WorkflowId,
  number: z.number().int(),
  name: z.string(),
  status: z.enum(lifecycle),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Phase = z.infer<typeof Phase>;
