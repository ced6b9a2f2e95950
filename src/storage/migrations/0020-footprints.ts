import type { Migration } from "./migration.ts";

/** The files that planned tasks will most likely touch. */
export const footprints: Migration = {
  name: "0020-footprints",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `create table "footprint" (
        "taskId" text primary key references "task"("id"), "repositoryPath" text not null, "files" text not null,
        "madeAt" ${int} not null)`,
      `create index "footprintByRepository" on "footprint" ("repositoryPath")`,
    ];
  },
};
