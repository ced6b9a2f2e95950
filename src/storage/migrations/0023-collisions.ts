import type { Migration } from "./migration.ts";

/** Work under way in two worktrees that cannot be merged, and since when. */
export const collisions: Migration = {
  name: "0023-collisions",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "collision" (
        "id" text primary key, "place" text not null, "repositoryPath" text not null, "one" text not null,
        "other" text not null, "baseBranch" text, "verdict" text not null, "places" text not null,
        "since" ${int} not null, "told" text not null, "createdAt" ${int} not null, "endedAt" ${int},
        "version" ${int} not null)`,
      `create index "collisionOpen" on "collision" ("endedAt", "place", "repositoryPath")`,
      `create index "collisionLasting" on "collision" ("endedAt", "verdict", "since")`,
    ];
  },
};
