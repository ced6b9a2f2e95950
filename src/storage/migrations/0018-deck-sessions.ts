import type { Migration } from "./migration.ts";

/**
 * What a deck's cookie is bound to. Cookies from before were tokens like any other and reached other ports: they open
 * nothing any more, as bearer or as cookie, and people sign in anew.
 */
export const deckSessions: Migration = {
  name: "0018-deck-sessions",
  statements: () => [
    `alter table "token" add column "pageLock" text`,
    `update "token" set "pageLock" = 'closed' where "label" = 'deck' and "agentType" is null and "instanceId" is null`,
  ],
};
