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
