import type { Migration } from "./migration.ts";

/** By which way a session was heard of, each with its last time, and by which a report of usage came. */
export const signals: Migration = {
  name: "0025-signals",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      ...["hookAt", "watchAt", "callAt"].map((name) => `alter table "session" add column "${name}" ${int}`),
      `alter table "span" add column "channel" text`,
    ];
  },
};
