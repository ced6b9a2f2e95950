import {
  DummyDriver,
  Kysely,
  type LimitNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "./schema.ts";

/**
 * Where a limit is a bare parameter SQLite plans by its value, and prepares the statement anew each time one is bound,
 * which takes longer than to answer it. The sum is no value to plan by.
 */
class SteadyLimits extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append("limit (");
    this.visitNode(node.limit);
    this.append(" + 0)");
  }
}

/** Builders only: the drivers behind them are dummies, execution is ours (see `Db`). */
export const sqliteBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SteadyLimits(),
  },
});

export const postgresBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
