import { z } from "zod";
import { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import { agentRoles, agentStatuses, runtimes } from "../../contract/words.ts";

/** How often an agent is asked to beat. */
export const heartbeatEveryMs = 30_000;

export const Agent = z.object({
  id: AgentId,
  developerId: DeveloperId,
  name: z.string(),
  runtime: z.enum(runtimes),
  role: z.enum(agentRoles),
  capabilities: z.array(z.string()),
  workspacePath: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  status: z.enum(agentStatuses),
  currentTaskId: TaskId.nullable(),
  lastHeartbeatAt: z.number(),
  /** A silence longer than this takes it offline (AG7, SN6): a minute for an agent, half an hour for a session. */
  staleAfterMs: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Agent = z.infer<typeof Agent>;
export type AgentStatus = Agent["status"];
