import type { Migration } from "./migration.ts";

/** Until when what was decided about a finding holds, beside its state, so that lists bring back what has expired. */
export const decisionExpiry: Migration = {
  name: "0029-decision-expiry",
  statements: (dialect) => {
    const expires =
      dialect === "postgres"
        ? `("detail"::json -> 'decision' ->> 'expires')::bigint`
        : `json_extract("detail", '$.decision.expires')`;
    return [
      `alter table "finding" add column "expiresAt" ${dialect === "postgres" ? "bigint" : "integer"}`,
      `update "finding" set "expiresAt" = (
        select ${expires} from "note" where "note"."findingId" = "finding"."id"
        order by "createdAt" desc, "id" desc limit 1)
      where "state" not in ('open', 'fixed')`,
      `create index "findingByExpiry" on "finding" ("expiresAt") where "expiresAt" is not null`,
    ];
  },
};
