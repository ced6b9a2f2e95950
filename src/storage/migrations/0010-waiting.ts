import type { Migration } from "./migration.ts";

/** Up to where each agent has heard what concerns it, and which notices it heard while it waited. */
export const waiting: Migration = {
  name: "0010-waiting",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "heard" (
        "agentId" text primary key references "agent"("id"), "seq" ${int} not null, "fromSeq" ${int} not null,
        "callKey" text)`,
      `alter table "notice" add column "isHeard" ${int} not null default 0`,
    ];
  },
};
