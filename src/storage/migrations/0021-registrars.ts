import type { Migration } from "./migration.ts";

/** Who registered a repository: the folder of somebody private would name them to everyone. */
export const registrars: Migration = {
  name: "0021-registrars",
  statements: () => [
    `alter table "repository" add column "developerId" text`,
    `update "repository" set "developerId" = (
      select "developerId" from "ledger"
      where "ledger"."subject" = "repository"."id" and "ledger"."kind" = 'repository.registered' limit 1
    )`,
  ],
};
