import { z } from "zod";
import { AgentId, DeveloperId, SharedContextId, TaskId } from "../../contract/ids.ts";

/** What a developer's agent tells the team about its work in one place: names and sentences, never contents. */
export const SharedContext = z.object({
  id: SharedContextId,
  developerId: DeveloperId,
  sessionId: AgentId.nullable(),
  repo: z.string().nullable(),
  branch: z.string().nullable(),
  title: z.string(),
  summary: z.string(),
  files: z.array(z.string()),
  nextActions: z.array(z.string()),
  blockers: z.array(z.string()),
  taskIds: z.array(TaskId),
  expiresAt: z.number(),
  revokedAt: z.number().nullable(),
  supersededBy: SharedContextId.nullable(),
  createdAt: z.number(),
  version: z.number(),
});
export type SharedContext = z.infer<typeof SharedContext>;

/** Nobody has withdrawn or replaced it, and its time has not run out. */
export const isActive = (context: SharedContext, now: number): boolean =>
  context.revokedAt === null && context.supersededBy === null && context.expiresAt > now;
