import { z } from "zod";
import { AgentId, DeveloperId } from "../../contract/ids.ts";

/** What a developer's machine says of its working copy: names and hashes, never contents. */
export const WorkingCopy = z.object({
  head: z.string().nullable(),
  dirtyFiles: z.array(z.string()),
  unpushedFiles: z.array(z.string()),
  diffHashes: z.record(z.string(), z.string()),
  recentCommits: z.array(z.object({ sha: z.string(), subject: z.string(), at: z.string() })),
});
export type WorkingCopy = z.infer<typeof WorkingCopy>;

/** A developer's run of an agent in one repository; it is that agent and has its id (SN1). */
export const Session = z.object({
  id: AgentId,
  developerId: DeveloperId,
  agentType: z.string().nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  repo: z.string().nullable(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  workingCopy: WorkingCopy.nullable(),
  workingCopyAt: z.number().nullable(),
  /** What its agent said when it ended. */
  summary: z.string().nullable(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  /** When it was last heard of by each way (SN20). */
  hookAt: z.number().nullable(),
  watchAt: z.number().nullable(),
  callAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  version: z.number(),
});
export type Session = z.infer<typeof Session>;

/** Idle for longer than this a session is stale (SN6): shown as such, never ended for it. */
export const sessionStaleAfterMs = 30 * 60_000;

export const isStale = (session: Pick<Session, "lastSeenAt" | "endedAt">, now: number): boolean =>
  session.endedAt === null && now - session.lastSeenAt > sessionStaleAfterMs;
