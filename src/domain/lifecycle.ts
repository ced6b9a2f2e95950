/**
 * The one lifecycle under all families. Each family has its own words for it; only a family's files use them.
 * A task that waits for others is not a state of its own: it is `planned` with unfinished dependencies.
 */
export const lifecycle = [
  "planned",
  "preparing",
  "active",
  "paused",
  "blocked",
  "done",
  "failed",
  "cancelled",
] as const;

export type Lifecycle = (typeof lifecycle)[number];

/** Nothing follows these. */
export const finished: readonly Lifecycle[] = ["done", "cancelled"];

/** Nobody is at it any more. What has failed waits to be planned anew; until then it keeps nobody from their work. */
export const endedStatuses = [...finished, "failed"] as const satisfies readonly Lifecycle[];

export const hasEnded = (status: Lifecycle): boolean => endedStatuses.includes(status);

/** What satisfies a dependency. */
export const isFinished = (status: Lifecycle): boolean => finished.includes(status);

/** In somebody's hands right now. */
export const isInHand = (status: Lifecycle): boolean => status === "preparing" || status === "active";
