import type { Migration } from "./migration.ts";

/** What a workflow is to achieve, its phases, the evidence of its tasks, and issues that wait for a person. */
export const missions: Migration = {
  name: "0004-missions",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "brief" (
        "workflowId" text primary key references "workflow"("id"), "objective" text not null, "description" text,
        "scope" text, "constraints" text, "profile" text not null, "totalPhases" ${int} not null,
        "currentPhase" ${int} not null, "endsByItself" ${int} not null, "closing" text, "version" ${int} not null)`,
      `create table "phase" (
        "id" text primary key, "workflowId" text not null references "workflow"("id"), "number" ${int} not null,
        "name" text not null, "status" text not null, "startedAt" ${int}, "endedAt" ${int},
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create unique index "phaseByNumber" on "phase" ("workflowId", "number")`,
      `create table "evidence" (
        "taskId" text primary key references "task"("id"), "phaseId" text references "phase"("id"),
        "parentId" text references "task"("id"), "areas" text not null, "callerType" text, "agentName" text,
        "snapshot" text not null, "receipt" text, "version" ${int} not null)`,
      `create index "evidenceByPhase" on "evidence" ("phaseId")`,
      `create index "evidenceByParent" on "evidence" ("parentId")`,
      `alter table "note" add column "needsHuman" ${int} not null default 0`,
      `alter table "note" add column "resolvedAt" ${int}`,
      `create index "noteByNeed" on "note" ("workflowId", "needsHuman", "resolvedAt")`,
    ];
  },
};
