import type { Migration } from "./migration.ts";

/**
 * Each index of a row is a page more to write. Gone are those that no query reads and one whose place another takes;
 * others leave out the rows that no query looks for: tasks without a value, and the usage of every call.
 */
export const leanIndexes: Migration = {
  name: "0028-lean-indexes",
  statements: (dialect) => [
    ...["ledgerByKind", "intentByOwner", "workflowByOwner"].map((index) => `drop index "${index}"`),
    ...["ledgerByStream", "taskByGroup", "taskByStart", "taskByHolder"].map((index) => `drop index "${index}"`),
    `create index "ledgerByStream" on "ledger" ("stream", "seq") where "stream" <> 'usage'`,
    // Only PostgreSQL looks for usage by its call: whether it was kept when a connection was lost.
    ...(dialect === "postgres"
      ? []
      : [
          `drop index "ledgerBySubject"`,
          `create index "ledgerBySubject" on "ledger" ("subject", "seq") where "stream" <> 'usage'`,
        ]),
    `create index "taskByGroup" on "task" ("workflowId", "parallelGroup", "status") where "parallelGroup" is not null`,
    `create index "taskByStart" on "task" ("workflowId", "startedAt") where "startedAt" is not null`,
    `create index "taskByHolder" on "task" ("takenBy") where "takenBy" is not null`,
  ],
};
