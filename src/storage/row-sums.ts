import { crc32 } from "node:zlib";
import type { Db } from "./db.ts";

/**
 * Every row has a checksum, so that a byte which the disk changed inside its text is found. It is the last column of an
 * index that the table has anyway: SQLite keeps it, whichever columns a statement changes, and its integrity check
 * compares it with the row. That takes five bytes and two microseconds; an index of its own would be one more page to
 * write for each row. The ledger has its chain of hashes, and `meta` is written with every commit.
 */
const withoutSums: ReadonlySet<string> = new Set(["ledger", "unsealed", "meta", "migration"]);

/** What the indexes call; every connection that writes must know it. */
export const sumFunction = "row_sum";

export const sumOf = (text: unknown): number => crc32(String(text));

interface Index {
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

const ownSuffix = "Sum";

/** Called before migrations: no column that an index names can be dropped. */
export async function dropRowSums(db: Db): Promise<void> {
  for (const { name, sql } of await listIndexes(db)) {
    const start = sql.indexOf(`, ${sumFunction}(`);
    if (start === -1) continue;
    await db.sql(`drop index "${name}"`);
    if (!name.endsWith(ownSuffix)) await db.sql(`${sql.slice(0, start)})`);
  }
}

/** Called after them: the sums cover the columns that there are. */
export async function addRowSums(db: Db): Promise<void> {
  const indexes = await listIndexes(db);
  for (const [table, columns] of await listColumns(db)) {
    const sum = `${sumFunction}(concat_ws(char(31), ${columns.map((column) => `"${column}"`).join(", ")}))`;
    const carrier = chooseCarrier(indexes.filter((index) => index.table === table));
    if (carrier) await db.sql(`drop index "${carrier.name}"`);
    // Rows that are written together lie together where the moment comes first.
    const first = columns.find((column) => column === "createdAt") ?? columns[0];
    const start = carrier?.sql.slice(0, -1) ?? `create index "${table}${ownSuffix}" on "${table}" ("${first}"`;
    await db.sql(`${start}, ${sum})`);
  }
}

/** One that has every row, and if possible one that a change of the row rewrites anyway. */
function chooseCarrier(indexes: readonly Index[]): Index | undefined {
  const whole = indexes.filter(({ sql }) => /^create index [^()]+\([^()]+\)$/i.test(sql));
  return rewritten.map((part) => whole.find(({ sql }) => sql.includes(part))).find(Boolean) ?? whole[0];
}

/** Columns that most changes save, best first. */
const rewritten = ['("updatedAt"', '"updatedAt"', '"lastHeartbeatAt"', '"lastSeenAt"', '"endedAt"', '"status"'];

function listIndexes(db: Db): Promise<Index[]> {
  return db.sql<Index>(
    `select "name", "tbl_name" as "table", trim("sql") as "sql" from sqlite_schema
     where "type" = 'index' and "sql" is not null order by "name"`,
  );
}

/** The columns of each table whose rows have sums, the first of them its key. */
async function listColumns(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db.sql<{ table: string; column: string }>(
    `select t."name" as "table", c."name" as "column" from sqlite_schema t, pragma_table_info(t."name") c
     where t."type" = 'table' and t."name" not like 'sqlite\\_%' escape '\\' order by t."name", c."cid"`,
  );
  const tables = new Map<string, string[]>();
  for (const { table, column } of rows) {
    if (!withoutSums.has(table)) tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return tables;
}

const brokenPrefix = "the file is broken";

export const brokenFile = (line: string): string => `${brokenPrefix}: ${line}`;

/** Whether it is the file that is wrong and not a value in it: the next change could destroy more. */
export const isAboutFile = (problem: string): boolean => problem.startsWith(brokenPrefix);

/** What SQLite finds wrong with its own file. */
export async function listDamagedRows(db: Db): Promise<string[]> {
  const checked = await db.sql<{ integrity_check: string }>(`pragma integrity_check(${mostProblems})`);
  const tableOf = new Map((await listIndexes(db)).map(({ name, table }) => [name, table]));
  const tables = await listColumns(db);
  const named = checked
    .filter(({ integrity_check: line }) => line !== "ok")
    .map(async ({ integrity_check: line }) => {
      const [, rowid = "", index = ""] = /^row (\d+) missing from index (.+)$/.exec(line) ?? [];
      const table = tableOf.get(index);
      if (table !== undefined) return nameRow(db, { table, rowid, key: tables.get(table)?.[0] });
      return / value in /.test(line) ? line : brokenFile(line);
    });
  return [...new Set([...(await Promise.all(named)), ...(await listBlobs(db, tables))])];
}

const mostProblems = 20;

interface Row {
  readonly table: string;
  readonly rowid: string;
  readonly key: string | undefined;
}

async function nameRow(db: Db, { table, rowid, key = "rowid" }: Row): Promise<string> {
  const [row] = await db.sql<{ key: unknown }>(
    `select cast("${key}" as text) as "key" from "${table}" not indexed where "rowid" = ?`,
    [Number(rowid)],
  );
  return `row ${rowid} of ${table} (${row?.key}) was damaged`;
}

/** One bit makes a text a blob of the same bytes, and so of the same sum. We store no blobs. */
async function listBlobs(db: Db, tables: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const lines: string[] = [];
  for (const [table, columns] of tables) {
    const types = columns.map((column) => `typeof("${column}")`).join(", ");
    const rows = await db.sql<{ rowid: number }>(
      `select "rowid" as "rowid" from "${table}" not indexed where 'blob' in (${types}) limit ${mostProblems}`,
    );
    for (const { rowid } of rows) lines.push(await nameRow(db, { table, rowid: String(rowid), key: columns[0] }));
  }
  return lines;
}

/** Lets every index, the sums in them included, go by the rows as they are. Answers whether that could be done. */
export async function rebuildIndexes(db: Db): Promise<boolean> {
  if (db.dialect === "postgres") return true;
  try {
    await db.sql("reindex");
    return true;
  } catch {
    return false;
  }
}
