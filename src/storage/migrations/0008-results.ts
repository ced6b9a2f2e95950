import type { Migration } from "./migration.ts";

/** What a list shows of a result stands beside its receipt, which may be large; levels bear the words people see. */
export const results: Migration = {
  name: "0008-results",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    const unexpected = dialect === "postgres" ? `"receipt"::json->'unexpectedFiles'` : `"receipt", '$.unexpectedFiles'`;
    return [
      `alter table "evidence" add column "level" text`,
      `alter table "evidence" add column "outOfScope" ${int} not null default 0`,
      `alter table "evidence" add column "failedChecks" ${int} not null default 0`,
      `alter table "evidence" add column "doubtfulSince" ${int}`,
      `create index "evidenceByDoubt" on "evidence" ("doubtfulSince") where "doubtfulSince" is not null`,
      ...renameLevel("claimed", "self-reported"),
      ...renameLevel("checked", "verified"),
      ...renameLevel("reproduced", "reproduced"),
      `update "evidence" set "outOfScope" = json_array_length(${unexpected}) where "receipt" is not null`,
    ];
  },
};

/** A receipt has one such key outside of quoted text: in a text the quotes would have a backslash. */
const renameLevel = (from: string, to: string): string[] => [
  `update "evidence" set "level" = '${to}', "receipt" = replace("receipt", '"level":"${from}"', '"level":"${to}"')
    where "receipt" like '%"level":"${from}"%'`,
];
