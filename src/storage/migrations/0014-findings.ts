import type { Migration } from "./migration.ts";

/** Known weaknesses, and which of them a note decides about. */
export const findings: Migration = {
  name: "0014-findings",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "finding" (
        "id" text primary key, "developerId" text not null references "developer"("id"), "source" text not null,
        "severity" text not null, "severityRank" ${int} not null, "state" text not null, "title" text not null,
        "vulnId" text, "packageName" text, "manifestPath" text, "service" text, "env" text,
        "repositoryPath" text not null, "record" text not null, "taskId" text references "task"("id"),
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "findingByState" on "finding" ("state", "severityRank", "updatedAt")`,
      `create index "findingByTask" on "finding" ("taskId")`,
      `create index "findingByVuln" on "finding" ("vulnId")`,
      `create index "findingByPackage" on "finding" ("packageName")`,
      `alter table "note" add column "findingId" text references "finding"("id")`,
      `create index "noteByFinding" on "note" ("findingId", "createdAt")`,
    ];
  },
};
