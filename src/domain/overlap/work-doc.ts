import type { DeveloperId } from "../../contract/ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { OverlapDoc } from "./engine/doc.ts";

/** A piece of work of any family as it is compared, and what is shown of it. */
export interface WorkDoc extends OverlapDoc {
  readonly developerId: DeveloperId;
  readonly lifecycle: Lifecycle;
  readonly taskType: string | null;
  readonly workflowId: string | null;
  readonly version: number;
}

/** Finished work counts for so long. */
export const recentMs = 14 * 24 * 3_600_000;

/** Nobody is at it any more. What has failed waits to be planned anew; until then it keeps nobody from their work. */
export const endedStatuses = ["done", "cancelled", "failed"] as const satisfies readonly Lifecycle[];

export const hasEnded = (status: Lifecycle): boolean => (endedStatuses as readonly Lifecycle[]).includes(status);

/** Open, or closed so recently that it still tells something. */
export const isComparable = (doc: Pick<WorkDoc, "lifecycle" | "at">, now: number): boolean =>
  !hasEnded(doc.lifecycle) || doc.at >= now - recentMs;
