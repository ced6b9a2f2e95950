import type { Migration } from "./migration.ts";

/** Which repositories a person has allowed to have their checks run, and in which wording. */
export const receipts: Migration = {
  name: "0006-receipts",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "checkPermit" (
        "place" text not null, "repository" text not null, "configHash" text not null,
        "developerId" text not null references "developer"("id"), "allowedAt" ${int} not null,
        primary key ("place", "repository"))`,
    ];
  },
};
