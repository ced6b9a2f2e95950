/** How a mission stands. A partial end has the status of a complete one, and is told by its outcome. */
export const markOf = (status: string, outcome: string | undefined): string =>
  outcome === "partial" ? outcome : statusWord(status);

/** Missions say their status in capitals; marks know it in small letters. */
export const statusWord = (status: string): string =>
  ({ BLOCKED: "waiting", IN_PROGRESS: "active", PARTIAL_SUCCESS: "partial", SUCCESS: "done" })[status] ??
  status.toLowerCase();
