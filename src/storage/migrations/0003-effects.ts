import type { Migration } from "./migration.ts";

/** Outside work that waits to be done, what became of the folders of worktrees, and the copies kept of removed ones. */
export const effects: Migration = {
  name: "0003-effects",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "effect" (
        "id" text primary key, "kind" text not null, "key" text not null, "subject" text not null,
        "place" text not null, "payload" text not null, "status" text not null, "attempts" ${int} not null,
        "nextAt" ${int} not null, "result" text, "error" text, "developerId" text, "callId" text,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create unique index "effectByKey" on "effect" ("kind", "key")`,
      `create index "effectByTurn" on "effect" ("place", "status", "nextAt")`,
      `create index "effectBySubject" on "effect" ("subject", "status")`,
      `alter table "worktree" add column "repositoryPath" text`,
      `alter table "worktree" add column "place" text`,
      `alter table "worktree" add column "folder" text not null default 'foreign'`,
      `alter table "worktree" add column "facts" text`,
      `alter table "worktree" add column "problem" text`,
      `create table "vaultEntry" (
        "id" text primary key, "worktreeId" text not null references "worktree"("id"), "developerId" text not null,
        "place" text not null, "repositoryPath" text not null, "path" text not null, "ref" text not null,
        "branch" text, "head" text, "trees" text not null, "counts" text not null, "bytes" ${int} not null,
        "isMerged" ${int} not null, "createdAt" ${int} not null, "restoredAt" ${int}, "restoredTo" text,
        "droppedAt" ${int}, "problem" text, "version" ${int} not null)`,
      `create index "vaultEntryByAge" on "vaultEntry" ("createdAt")`,
      `create index "vaultEntryByWorktree" on "vaultEntry" ("worktreeId")`,
    ];
  },
};
