import type { Migration } from "./migration.ts";

/**
 * By what an agent is known again: its token when it registers anew, its connection when that was lost. And what it is
 * to be told with the next answer it gets.
 */
export const presence: Migration = {
  name: "0009-presence",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `alter table "agent" add column "tokenId" text`,
      `alter table "agent" add column "connectionKey" text`,
      `create index "agent_by_token" on "agent" ("tokenId", "name")`,
      `create index "agent_by_connection" on "agent" ("connectionKey")`,
      `create table "notice" (
        "id" text primary key, "developerId" text not null references "developer"("id"), "agentId" text,
        "about" text not null, "text" text not null, "createdAt" ${int} not null, "deliveredAt" ${int})`,
      `create index "notice_waiting" on "notice" ("developerId", "deliveredAt")`,
    ];
  },
};
