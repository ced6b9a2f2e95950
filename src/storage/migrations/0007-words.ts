import type { Migration } from "./migration.ts";

/** Tables and columns under the words that the rest of the house uses for them. */
export const words: Migration = {
  name: "0007-words",
  statements: () => [
    `alter table "effect" rename to "errand"`,
    `alter table "task" rename column "claimedBy" to "takenBy"`,
    `alter table "session" rename column "snapshot" to "workingCopy"`,
    `alter table "session" rename column "snapshotAt" to "workingCopyAt"`,
  ],
};
