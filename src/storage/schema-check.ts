import type { Db, Dialect } from "./db.ts";
import { migrations } from "./migrations/all.ts";
import { migrate } from "./migrations/migration.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** Tables, indexes, views and triggers by name; of a part its kind and as much as the database tells of its shape. */
type Parts = ReadonlyMap<string, { readonly kind: string; readonly shape: string }>;

/**
 * In what a store's schema is not what the migrations make of it. A file that somebody hands in may carry triggers and
 * views that act on their own, and a migration that was edited after it ran leaves columns missing.
 */
export async function listSchemaFaults(db: Db): Promise<string[]> {
  const [due, found] = await Promise.all([
    partsDue(db.dialect),
    db.dialect === "sqlite" ? readSqlite(db) : readPostgres(db),
  ]);
  const missing = [...due]
    .filter(([name]) => !found.has(name))
    .map(([name, { kind }]) => `the ${kind} ${name} is missing`);
  const changed = [...found].flatMap(([name, { kind, shape }]) => {
    const own = due.get(name);
    if (!own) return [`the ${kind} ${name} is not Crewdeck's`];
    return own.kind === kind && own.shape === shape ? [] : [`the ${kind} ${name} was changed`];
  });
  return [...missing, ...changed].sort();
}

const partsByDialect = new Map<Dialect, Promise<Parts>>();

/** Migrations do not change while a program runs, and to try them all takes longer than to look at a store. */
function partsDue(dialect: Dialect): Promise<Parts> {
  const parts = partsByDialect.get(dialect) ?? tryMigrations(dialect === "sqlite" ? readSqlite : readColumns);
  partsByDialect.set(dialect, parts);
  return parts;
}

/** What the migrations make, tried in memory. */
async function tryMigrations(read: (db: Db) => Promise<Parts>): Promise<Parts> {
  const scratch = new SqliteConnection(":memory:");
  try {
    await migrate(scratch, migrations, 0);
    return await read(scratch);
  } finally {
    scratch.close();
  }
}

/** Statements as they were given, white space and quotes apart: SQLite writes a renamed part's anew. */
async function readSqlite(db: Db): Promise<Parts> {
  const rows = await db.sql<{ name: string; type: string; sql: string }>(
    `select "name", "type", "sql" from sqlite_schema where "sql" is not null and "name" not like 'sqlite\\_%' escape '\\'`,
  );
  return new Map(
    rows.map(({ name, type, sql }) => [name, { kind: type, shape: sql.replaceAll(/["`\s]+/g, " ").toLowerCase() }]),
  );
}

/** Of a table only the names of its columns, which are the same in both databases. */
async function readColumns(db: Db): Promise<Parts> {
  const rows = await db.sql<{ table: string; column: string }>(
    `select t."name" as "table", c."name" as "column" from sqlite_schema t, pragma_table_info(t."name") c
     where t."type" = 'table' and t."name" not like 'sqlite\\_%' escape '\\'`,
  );
  return tablesOf(rows);
}

async function readPostgres(db: Db): Promise<Parts> {
  const columns = await db.sql<{ table: string; column: string }>(
    `select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  );
  const acting = await db.sql<{ name: string; kind: string }>(
    `select c.relname as "name", 'view' as "kind" from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('v', 'm')
     union all select t.tgname, 'trigger' from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal
     union all select r.rulename, 'rule' from pg_rewrite r join pg_class c on c.oid = r.ev_class
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
  );
  return new Map([...tablesOf(columns), ...acting.map(({ name, kind }) => [name, { kind, shape: "" }] as const)]);
}

function tablesOf(rows: readonly { readonly table: string; readonly column: string }[]): Parts {
  const columns = new Map<string, string[]>();
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);
  return new Map([...columns].map(([name, own]) => [name, { kind: "table", shape: own.sort().join(" ") }]));
}
