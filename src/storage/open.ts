import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { PostgresStore } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store, StoreHooks, StoreOptions } from "./store.ts";

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

export const isPostgresStore = (store: Store): store is PostgresStore => store.dialect === "postgres";

/** Opens the store at a file path (SQLite) or a `postgres://` address. */
export async function openStore(
  location: string,
  hooks: StoreHooks,
  now: () => number,
  options: StoreOptions = {},
): Promise<Store> {
  if (isPostgresUrl(location)) {
    // Loaded for those who have it: its client is a tenth of the time a server takes to start.
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(location, hooks, now, options);
  }
  mkdirSync(dirname(location), { recursive: true, mode: 0o700 });
  return openSqlite(location, hooks, now, options);
}
