import type { Migration } from "./migration.ts";

/** A number by which people call a task; those that are there already are counted in the order they were made in. */
export const taskNumbers: Migration = {
  name: "0026-task-numbers",
  statements: (dialect) => [
    `alter table "task" add column "number" ${dialect === "postgres" ? "bigint" : "integer"}`,
    `update "task" set "number" = "counted"."place" from
      (select "id", row_number() over (order by "createdAt", "id") as "place" from "task") as "counted"
      where "counted"."id" = "task"."id"`,
    `create unique index "taskByNumber" on "task" ("number")`,
    ...(dialect === "postgres" ? countByItself : []),
  ],
};

const countByItself = [
  `create sequence "taskNumber" owned by "task"."number"`,
  `select setval('"taskNumber"', coalesce(max("number"), 0) + 1, false) from "task"`,
  `alter table "task" alter column "number" set default nextval('"taskNumber"'), alter column "number" set not null`,
];
