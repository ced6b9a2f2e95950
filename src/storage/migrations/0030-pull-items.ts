import type { Migration } from "./migration.ts";

/** Comments on a pull request that was sent back are things to do, with a name and an end. */
export const pullItems: Migration = {
  name: "0030-pull-items",
  statements: (dialect) => [
    `alter table "pullComment" add column "item" text`,
    `alter table "pullComment" add column "doneAt" ${dialect === "postgres" ? "bigint" : "integer"}`,
  ],
};
