import type { Migration } from "./migration.ts";

/** What a call under an idempotency key was given, so that another call under the same key is told apart. */
export const repeats: Migration = {
  name: "0011-repeats",
  statements: () => [`alter table "answer" add column "argumentsHash" text`],
};
