import type { Db, Query } from "./db.ts";
import { saveMeta } from "./meta.ts";

/**
 * Executes an update that names the version it read. If someone else saved first, no row fits, nothing is written and
 * STALE is thrown; dispatch then runs the whole operation again. This is our only concurrency rule, and it is the same
 * SQL on SQLite and PostgreSQL.
 */
export async function saveVersioned(db: Db, update: Query<unknown>): Promise<void> {
  await db.save(update);
}

/**
 * For decisions about a set of rows ("no other like it", "at most ten of them"): operations that name the same guard
 * collide on PostgreSQL, where two of them could otherwise each overlook what the other adds. One gets STALE and runs
 * again, as for a single row. SQLite runs one operation at a time and needs none. Guards stay few: one for a
 * repository or a workflow, never one for a call.
 */
export async function guard(db: Db, name: string): Promise<void> {
  if (db.dialect === "postgres") await saveMeta(db, `guard:${name}`, "");
}
