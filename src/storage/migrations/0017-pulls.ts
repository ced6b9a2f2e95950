import type { Migration } from "./migration.ts";

/** Pull requests, what people say about their lines, and issues that agents had filed. */
export const pulls: Migration = {
  name: "0017-pulls",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "pull" (
        "id" text primary key, "host" text not null, "address" text not null, "number" ${int}, "status" text not null,
        "title" text not null, "description" text not null, "repositoryPath" text not null, "place" text not null,
        "branch" text not null, "base" text not null, "head" text not null, "url" text,
        "developerId" text not null, "agentId" text, "approvedById" text, "isSentBack" ${int} not null, "mergeMethod" text,
        "mergeCommit" text, "baseBefore" text, "etag" text, "problem" text, "createdAt" ${int} not null, "updatedAt" ${int} not null,
        "endedAt" ${int}, "version" ${int} not null)`,
      `create unique index "pullByNumber" on "pull" ("host", "address", "number")`,
      `create index "pullByBranch" on "pull" ("repositoryPath", "branch")`,
      `create index "pullByStatus" on "pull" ("status", "host")`,
      `create table "pullComment" (
        "id" text primary key, "pullId" text not null references "pull"("id"), "developerId" text not null,
        "path" text, "line" ${int}, "side" text not null, "head" text not null, "body" text not null,
        "createdAt" ${int} not null, "sentAt" ${int})`,
      `create index "pullCommentByPull" on "pullComment" ("pullId", "createdAt")`,
      `create table "filedIssue" (
        "id" text primary key, "batch" text not null, "position" ${int} not null, "address" text not null,
        "title" text not null, "body" text not null, "labels" text not null, "dependsOn" text not null,
        "status" text not null, "isCreated" ${int} not null, "number" ${int}, "url" text, "problem" text,
        "developerId" text not null, "agentId" text, "createdAt" ${int} not null, "updatedAt" ${int} not null,
        "version" ${int} not null)`,
      `create index "filedIssueByTitle" on "filedIssue" ("address", "title")`,
      `create index "filedIssueByBatch" on "filedIssue" ("batch", "position")`,
    ];
  },
};
