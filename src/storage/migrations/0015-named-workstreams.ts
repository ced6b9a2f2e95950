import type { Migration } from "./migration.ts";

/** Finds a developer's own open workstreams among those that the server made for single tasks, which are nearly all. */
export const namedWorkstreams: Migration = {
  name: "0015-named-workstreams",
  statements: () => [
    `create index "workflowByMaker" on "workflow" ("developerId", "kind", "endsWithTasks", "status", "updatedAt")`,
  ],
};
