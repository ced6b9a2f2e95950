import type { AgentId, DeveloperId, WorkflowId } from "../../contract/ids.ts";
import { hasEnded, type Lifecycle } from "../lifecycle.ts";
import type { OverlapDoc } from "./engine/doc.ts";

/** A piece of work of any family as it is compared, and what is shown of it. */
export interface WorkDoc extends OverlapDoc {
  readonly developerId: DeveloperId;
  /** The agent that works on it, or that announced it. */
  readonly sessionId: AgentId | null;
  readonly lifecycle: Lifecycle;
  readonly taskType: string | null;
  readonly workflowId: WorkflowId | null;
  readonly version: number;
}

/** Finished work counts for so long. */
export const recentMs = 14 * 24 * 3_600_000;

/** Open, or closed so recently that it still tells something. */
export const isComparable = (doc: Pick<WorkDoc, "lifecycle" | "at">, now: number): boolean =>
  !hasEnded(doc.lifecycle) || doc.at >= now - recentMs;
