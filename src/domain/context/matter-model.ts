import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import type { ResultGlance } from "../result.ts";

/** What waits for a person, the most urgent first: others are held up by the first, nobody by the last. */
export const matterKinds = [
  "blocked_start",
  "ask",
  "handoff",
  "issue",
  "agent_waiting",
  "review_limit",
  "pull_request",
  "collision",
  "failed_task",
  "doubtful_result",
  "blocked_task",
  "stale_task",
  "agent_failed",
  "stale_session",
  "refused_claim",
  "budget",
] as const;
export type MatterKind = (typeof matterKinds)[number];

/** Something that is open until somebody does something about it. */
export interface Matter {
  readonly kind: MatterKind;
  /** The record it is about. */
  readonly id: string;
  /** What people or agents called it; null where it has no words of its own. */
  readonly title: string | null;
  /** Who is to look at it. */
  readonly developerId: DeveloperId;
  /** Who wants something, where that is somebody else. */
  readonly from: DeveloperId | null;
  /** The agent that wants it, or whose work it is, where one is known. */
  readonly agentId?: AgentId | null;
  readonly since: number;
  /** What is wrong with it, where it is about a result. */
  readonly result?: ResultGlance | undefined;
}

/** Work in hand that nobody has touched for so long may have been forgotten. */
export const staleTaskMs = 24 * 3_600_000;

/** A refused claim is news for so long. */
export const refusedClaimMs = 4 * 3_600_000;

/** An agent that failed to work is news for so long. */
export const failedAgentMs = 4 * 3_600_000;

/** A conflict between two agents is theirs to solve for so long, and then a person's (FC17). */
export const lastingConflictMs = 10 * 60_000;
