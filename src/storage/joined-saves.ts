import { CompiledQuery, type RootOperationNode } from "kysely";
import { bindable } from "./db.ts";
import type { Change } from "./grouped-db.ts";

export interface Statement {
  readonly query: CompiledQuery<unknown>;
  /** How many rows it must find; undefined where any number will do. */
  readonly rows: number | undefined;
}

/** The save of one row by the version that was read, taken to pieces. */
interface Save {
  /** What saves any number of rows like it. */
  readonly joined: string;
  readonly key: string;
  readonly row: Row;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * The changes of a group with as few statements as they take. Calls of a kind save rows of the same tables in the same
 * way, and for PostgreSQL many rows at once are hardly more work than one. Where nothing can be joined, and where a row
 * is saved twice, everything keeps its place.
 */
export function joinSaves(changes: readonly Change[]): Statement[] {
  const saves = changes.map(readSave);
  const times = new Map<string, number>();
  for (const save of saves) if (save) times.set(save.key, (times.get(save.key) ?? 0) + 1);
  const rows = new Map<string, Row[]>();
  for (const save of saves) {
    if (save && times.get(save.key) === 1) rows.set(save.joined, [...(rows.get(save.joined) ?? []), save.row]);
  }
  const isJoined = (save: Save | undefined): boolean =>
    save !== undefined && times.get(save.key) === 1 && (rows.get(save.joined)?.length ?? 0) > 1;
  return [
    ...changes.filter((_, place) => !isJoined(saves[place])).map(statementOf),
    ...[...rows].filter(([, alike]) => alike.length > 1).map(([sql, alike]) => joinedStatement(sql, alike)),
  ];
}

const statementOf = ({ query, isSave }: Change): Statement => ({ query, rows: isSave ? 1 : undefined });

/** In the order of their ids: two groups that meet then wait for one another in turn, never both at once. */
const joinedStatement = (sql: string, rows: readonly Row[]): Statement => ({
  query: CompiledQuery.raw(sql, [JSON.stringify(rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)))]),
  rows: rows.length,
});

/** Undefined for anything but a save as by convention: plain values, then the row's id and the version that was read. */
function readSave({ query, isSave }: Change): Save | undefined {
  const update = isSave ? readUpdate(query.query) : undefined;
  if (!update) return undefined;
  const { table, columns } = update;
  const values = query.parameters.slice(0, columns.length).map(bindable);
  const [id, version] = query.parameters.slice(columns.length);
  if (query.sql !== saveText(table, columns) || typeof id !== "string" || typeof version !== "number") return undefined;
  if (values[columns.indexOf("version")] !== version + 1 || !values.every(isPlain)) return undefined;
  const row = { ...Object.fromEntries(columns.map((column, place) => [column, values[place]])), id };
  return { joined: joinedText(table, columns), key: `${table} ${id}`, row };
}

const isPlain = (value: unknown): boolean => value === null || typeof value === "string" || typeof value === "number";

function readUpdate(node: RootOperationNode): { table: string; columns: readonly string[] } | undefined {
  if (node.kind !== "UpdateQueryNode" || !("updates" in node)) return undefined;
  const { table, updates } = node as unknown as UpdateNode;
  return { table: table.table.identifier.name, columns: updates.map(({ column }) => column.column.name) };
}

interface UpdateNode {
  readonly table: { readonly table: { readonly identifier: { readonly name: string } } };
  readonly updates: readonly { readonly column: { readonly column: { readonly name: string } } }[];
}

const saveText = (table: string, columns: readonly string[]): string =>
  `update "${table}" set ${columns.map((column, place) => `"${column}" = $${place + 1}`).join(", ")} where "id" = $${
    columns.length + 1
  } and "version" = $${columns.length + 2}`;

const joinedText = (table: string, columns: readonly string[]): string =>
  `update "${table}" set ${columns.map((column) => `"${column}" = "saved"."${column}"`).join(", ")}
   from json_populate_recordset(null::"${table}", $1::json) as "saved"
   where "${table}"."id" = "saved"."id" and "${table}"."version" = "saved"."version" - 1`;
