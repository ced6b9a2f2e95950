import type { Lifecycle } from "../contract/lifecycle.ts";

export type { Lifecycle };

/** Nothing follows these. */
export const finished: readonly Lifecycle[] = ["done", "cancelled"];

/** Nobody is at it any more. What has failed waits to be planned anew; until then it keeps nobody from their work. */
export const endedStatuses = [...finished, "failed"] as const satisfies readonly Lifecycle[];

export const hasEnded = (status: Lifecycle): boolean => endedStatuses.includes(status);

/** What satisfies a dependency. */
export const isFinished = (status: Lifecycle): boolean => finished.includes(status);

/** In somebody's hands right now. */
export const isInHand = (status: Lifecycle): boolean => status === "preparing" || status === "active";
