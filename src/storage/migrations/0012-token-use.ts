import type { Migration } from "./migration.ts";

/** When a token was last used, and until when it can be. */
export const tokenUse: Migration = {
  name: "0012-token-use",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [`alter table "token" add column "expiresAt" ${int}`, `alter table "token" add column "lastUsedAt" ${int}`];
  },
};
