import type { Migration } from "./migration.ts";

/** Pull requests that wait for a decision are in the inbox, the oldest first. */
export const waitingPulls: Migration = {
  name: "0022-waiting-pulls",
  statements: () => [`create index "pullWaiting" on "pull" ("host", "status", "isSentBack", "updatedAt")`],
};
