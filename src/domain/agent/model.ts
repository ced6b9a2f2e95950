import { z } from "zod";
import { AgentId, DeveloperId, TaskId, TokenId } from "../../contract/ids.ts";
import { agentRoles, agentStatuses, runtimes } from "../../contract/words.ts";

/** How often an agent is asked to beat. */
export const heartbeatEveryMs = 30_000;

/** Without an open connection, a call or a heartbeat for longer than this an agent is stale (AG7). */
export const staleAfterMs = 60_000;

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
  /** The token it registered with, by which it is known again (AG20). */
  tokenId: TokenId.nullable(),
  /** The connection it last worked on, where its client can take that up again (AG24). */
  connectionKey: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type Agent = z.infer<typeof Agent>;
export type AgentStatus = Agent["status"];
