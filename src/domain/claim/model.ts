import { z } from "zod";
import { AgentId, ClaimId, DeveloperId, TaskId } from "../../contract/ids.ts";
import { endReasons, type OneOf } from "../../contract/words.ts";

export type EndReason = OneOf<typeof endReasons>;

/** Code that somebody works on right now: files by pattern, symbols by name, in one repository, for a limited time. */
export const CodeClaim = z.object({
  id: ClaimId,
  developerId: DeveloperId,
  /** Null where the developer named no session. */
  sessionId: AgentId.nullable(),
  taskId: TaskId.nullable(),
  repo: z.string(),
  /** Null stands for every branch. */
  branch: z.string().nullable(),
  paths: z.array(z.string()),
  symbols: z.array(z.string()),
  isExclusive: z.boolean(),
  /** Grows with every claim in the repository and with every change of hands, so that a late writer can be told. */
  fence: z.number().int(),
  ttlMinutes: z.number().int(),
  expiresAt: z.number(),
  endedAt: z.number().nullable(),
  endReason: z.enum(endReasons).nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type CodeClaim = z.infer<typeof CodeClaim>;

/** What is claimed. */
export type Area = Pick<CodeClaim, "repo" | "branch" | "paths" | "symbols">;

/** Whose it is. Two calls without a session are of one holder if they are of one developer. */
export type Holder = Pick<CodeClaim, "developerId" | "sessionId">;

/** Two claims that meet: the one that is held, and what of the new one lies in it. */
export interface Meeting {
  readonly held: CodeClaim;
  readonly paths: readonly string[];
  readonly symbols: readonly string[];
}

export const shortestLeaseMinutes = 5;
export const longestLeaseMinutes = 1_440;
export const usualLeaseMinutes = 120;
