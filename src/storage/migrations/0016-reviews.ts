import type { Migration } from "./migration.ts";

/** Worktrees without a workflow, the programs of instances, and what reviewers say. */
export const reviews: Migration = {
  name: "0016-reviews",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      ...(dialect === "postgres" ? [`alter table "worktree" alter column "workflowId" drop not null`] : rebuilt),
      `alter table "instance" add column "run" text`,
      `alter table "instance" add column "prompt" text`,
      `create table "review" (
        "id" text primary key references "instance"("id"), "coderId" text not null references "instance"("id"),
        "developerId" text not null, "round" ${int} not null, "outcome" text not null, "head" text not null,
        "requestedAt" ${int} not null, "endedAt" ${int}, "version" ${int} not null)`,
      `create unique index "reviewByRound" on "review" ("coderId", "round")`,
      `create unique index "reviewUnderWay" on "review" ("coderId") where "endedAt" is null`,
      `create table "feedback" (
        "id" text primary key, "reviewId" text not null references "review"("id"),
        "coderId" text not null references "instance"("id"), "developerId" text not null, "round" ${int} not null,
        "type" text not null, "priority" text, "text" text not null, "items" text not null, "commit" text,
        "delivery" text, "createdAt" ${int} not null, "version" ${int} not null)`,
      `create index "feedbackByCoder" on "feedback" ("coderId", "round")`,
    ];
  },
};

const columns = `"id", "workflowId", "developerId", "path", "branch", "baseBranch", "status", "mergeCommit",
  "createdAt", "updatedAt", "version", "repositoryPath", "place", "folder", "facts", "problem"`;

/** SQLite cannot take a constraint away: the table is made anew, and what refers to its rows finds them again. */
const rebuilt = [
  "pragma defer_foreign_keys = on",
  `create table "worktreeBefore" as select ${columns} from "worktree"`,
  `drop table "worktree"`,
  `create table "worktree" (
    "id" text primary key, "workflowId" text references "workflow"("id"), "developerId" text not null,
    "path" text not null, "branch" text not null, "baseBranch" text, "status" text not null, "mergeCommit" text,
    "createdAt" integer not null, "updatedAt" integer not null, "version" integer not null, "repositoryPath" text,
    "place" text, "folder" text not null default 'foreign', "facts" text, "problem" text)`,
  `insert into "worktree" (${columns}) select ${columns} from "worktreeBefore"`,
  `drop table "worktreeBefore"`,
  `create index "worktreeByWorkflow" on "worktree" ("workflowId", "createdAt")`,
];
