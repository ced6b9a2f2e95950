import type { Migration } from "./migration.ts";

/** How many rounds there were to be when each was asked for: who has had them all waits for a person. */
export const reviewLimits: Migration = {
  name: "0019-review-limits",
  statements: (dialect) => [
    `alter table "review" add column "maxIterations" ${dialect === "postgres" ? "bigint" : "integer"} not null default 3`,
  ],
};
