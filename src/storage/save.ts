import { Refusal } from "../contract/refusal.ts";
import type { Db, Query } from "./db.ts";

/**
 * Executes an update that names the version it read. If someone else saved first, no row fits, nothing is written and
 * STALE is thrown; dispatch then runs the whole operation again. This is our only concurrency rule, and it is the same
 * SQL on SQLite and PostgreSQL.
 */
export async function saveVersioned(db: Db, update: Query<unknown>): Promise<void> {
  if ((await db.run(update)) === 0) throw new Refusal("STALE", "The record changed meanwhile.");
}
