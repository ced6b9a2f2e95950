import type { Migration } from "./migration.ts";

/** Workflows of every kind, their tasks, notes, worktrees and templates. */
export const work: Migration = {
  name: "0002-work",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    // What is sorted by is sorted alike everywhere: by bytes, whatever language the server speaks.
    const sorted = dialect === "postgres" ? 'text collate "C"' : "text";
    return [
      `create table "workflow" (
        "id" text primary key, "kind" text not null, "developerId" text not null references "developer"("id"),
        "name" text not null, "status" text not null, "statusReason" text, "sourceType" text not null, "sourceRef" text,
        "sourceContent" text not null, "repositoryPath" text, "maxParallel" ${int} not null,
        "makesWorktrees" ${int} not null, "plan" text,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "workflowByAge" on "workflow" ("createdAt")`,
      `create index "workflowByStatus" on "workflow" ("status", "createdAt")`,
      `create table "worktree" (
        "id" text primary key, "workflowId" text not null references "workflow"("id"), "developerId" text not null,
        "path" text not null, "branch" text not null, "baseBranch" text, "status" text not null, "mergeCommit" text,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "worktreeByWorkflow" on "worktree" ("workflowId", "createdAt")`,
      `create table "task" (
        "id" text primary key, "workflowId" text references "workflow"("id"),
        "developerId" text not null references "developer"("id"), "name" ${sorted} not null, "description" text not null,
        "sequence" ${int} not null, "parallelGroup" ${sorted}, "status" text not null, "waitingOn" ${int} not null,
        "tail" ${int} not null, "plan" text, "context" text not null, "outcome" text, "outcomeDetail" text, "error" text,
        "complexity" text, "files" text not null, "capabilities" text not null,
        "claimedBy" text references "agent"("id"), "fence" ${int} not null,
        "worktreeId" text references "worktree"("id"), "startedAt" ${int}, "endedAt" ${int},
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "taskByPlace" on "task" ("workflowId", "sequence", "name")`,
      `create index "taskByReadiness" on "task" ("workflowId", "status", "waitingOn", "sequence", "name")`,
      `create index "taskByQueue" on "task" ("status", "waitingOn", "sequence", "name")`,
      `create index "taskByChange" on "task" ("updatedAt")`,
      `create index "taskByHolder" on "task" ("claimedBy")`,
      `create index "taskByStart" on "task" ("workflowId", "startedAt")`,
      `create index "taskByGroup" on "task" ("workflowId", "parallelGroup", "status")`,
      `create table "dependency" (
        "taskId" text not null references "task"("id"), "dependsOnId" text not null references "task"("id"),
        primary key ("taskId", "dependsOnId"))`,
      `create index "dependencyByTarget" on "dependency" ("dependsOnId")`,
      `create table "note" (
        "id" text primary key, "workflowId" text references "workflow"("id"), "taskId" text references "task"("id"),
        "developerId" text not null references "developer"("id"), "kind" text not null, "sequence" ${int} not null,
        "summary" text not null, "detail" text, "files" text not null, "isSuperseded" ${int} not null,
        "createdAt" ${int} not null)`,
      `create unique index "noteByTask" on "note" ("taskId", "sequence")`,
      `create index "noteByWorkflow" on "note" ("workflowId", "createdAt")`,
      `create table "template" (
        "id" text primary key, "developerId" text not null references "developer"("id"), "name" ${sorted} not null unique,
        "description" text, "definition" text not null,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
    ];
  },
};
