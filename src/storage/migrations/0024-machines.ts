import type { Migration } from "./migration.ts";

/** How the clients of somebody's machines are set up, as their companion reported it. */
export const machines: Migration = {
  name: "0024-machines",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "machine" (
        "developerId" text not null, "name" text not null, "repository" text not null, "companionVersion" text not null,
        "state" text not null, "reportedAt" ${int} not null, "version" ${int} not null,
        primary key ("developerId", "name", "repository"))`,
    ];
  },
};
