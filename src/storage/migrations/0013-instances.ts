import type { Migration } from "./migration.ts";

/** Agents at work in a work tree, and the tokens that only one of them may use. */
export const instances: Migration = {
  name: "0013-instances",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `alter table "token" add column "instanceId" text`,
      `create table "instance" (
        "id" text primary key references "agent"("id"), "type" text not null, "status" text not null,
        "origin" text not null, "developerId" text not null references "developer"("id"),
        "tokenId" text references "token"("id"), "place" text not null, "repositoryPath" text not null,
        "worktreePath" text not null, "worktreeId" text references "worktree"("id"), "branch" text, "baseBranch" text,
        "program" text, "sessionName" text, "parentId" text references "instance"("id"),
        "taskId" text references "task"("id"), "reviewIteration" ${int} not null, "grantedRounds" ${int} not null,
        "pullNumber" ${int}, "pullUrl" text, "endReason" text, "createdAt" ${int} not null,
        "updatedAt" ${int} not null, "lastActivityAt" ${int} not null, "terminatedAt" ${int},
        "version" ${int} not null)`,
      `create index "instanceByAge" on "instance" ("createdAt")`,
      `create index "instanceByFolder" on "instance" ("worktreePath", "developerId")`,
      `create index "instanceByParent" on "instance" ("parentId", "createdAt")`,
      `create index "instanceByStatus" on "instance" ("status", "createdAt")`,
    ];
  },
};
