import type { CompiledQuery, InsertQueryNode, RootOperationNode, UpdateQueryNode } from "kysely";
import { Refusal } from "../contract/refusal.ts";
import type { Db, Query } from "./db.ts";
import type { SharedReads } from "./shared-reads.ts";

/** A change that waits until every operation of its group has decided. */
export interface Change {
  readonly query: CompiledQuery<unknown>;
  /** Whether it names the version it read and must find its row. */
  readonly isSave: boolean;
}

/** An operation of a group asked for something that only a transaction of its own can give it. */
export class LeavesGroup extends Error {}

/** Beyond this an operation keeps the others of its group waiting. */
const mostReads = 60;

/**
 * What one of several operations sees that share a transaction on PostgreSQL. All of them read the same snapshot, as
 * they would side by side, and nobody sees what another is about to change: new rows and saves by version are kept back
 * until all have decided. Whatever does not fit that, such as a guard, a deletion, or reading a table after changing it,
 * needs a transaction of its own.
 */
export class GroupedDb implements Db {
  readonly dialect = "postgres";
  readonly recordedBefore = [];
  readonly q: Db["q"];
  readonly changes: Change[] = [];
  readonly #db: Db;
  readonly #reads: SharedReads;
  /** Which operation of the group saves which row: two that save the same one have read the same version of it. */
  readonly #savers: Map<string, GroupedDb>;
  readonly #changed: string[] = [];
  #readCount = 0;
  hasLeft = false;
  /** The first statement that failed, and the transaction with it. */
  failure: unknown;

  constructor(db: Db, reads: SharedReads, savers: Map<string, GroupedDb>) {
    this.#db = db;
    this.#reads = reads;
    this.q = db.q;
    this.#savers = savers;
  }

  async all<O>(query: Query<O>): Promise<O[]> {
    const compiled = query.compile();
    this.#checkRead(compiled.sql);
    return this.#noting(this.#reads.tryRead(compiled) ?? this.#db.all<O>({ compile: () => compiled }));
  }

  async first<O>(query: Query<O>): Promise<O | undefined> {
    return (await this.all(query))[0];
  }

  async sql<O>(text: string, parameters?: readonly unknown[]): Promise<O[]> {
    this.#checkRead(text);
    return this.#noting(this.#db.sql<O>(text, parameters));
  }

  async run(query: Query<unknown>): Promise<number> {
    const compiled = query.compile();
    const insert = plainInsert(compiled.query);
    if (!insert) this.#leave("it changes more than rows of its own");
    this.#keepBack({ query: compiled, isSave: false }, insert.table);
    return insert.rows;
  }

  async save(query: Query<unknown>): Promise<void> {
    const compiled = query.compile();
    const table = updatedTable(compiled.query);
    if (table === undefined) this.#leave("it saves something else than a row");
    // By convention a save ends with the row's key and the version that was read; should one not, the database tells.
    const row = `${table} ${String(compiled.parameters.at(-2))}`;
    const saver = this.#savers.get(row) ?? this;
    if (saver !== this) throw new Refusal("STALE", "The record changed meanwhile.");
    this.#savers.set(row, this);
    this.#keepBack({ query: compiled, isSave: true }, table);
  }

  /** What was kept back by an operation that has failed concerns nobody. */
  forget(): void {
    this.changes.length = 0;
    for (const [row, saver] of this.#savers) if (saver === this) this.#savers.delete(row);
  }

  async #noting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  #keepBack(change: Change, table: string): void {
    this.changes.push(change);
    this.#changed.push(`"${table}"`);
  }

  #checkRead(text: string): void {
    if (!isRead.test(text) || actsBeside.test(text)) this.#leave("it does more than read");
    if (this.#changed.some((table) => text.includes(table))) this.#leave("it reads what it has changed");
    this.#readCount += 1;
    if (this.#readCount > mostReads) this.#leave("it is long");
  }

  /** Whoever catches the error is stopped by the note all the same. */
  #leave(reason: string): never {
    this.hasLeft = true;
    throw new LeavesGroup(reason);
  }
}

const isRead = /^\s*select\b/i;
const actsBeside = /\bfor (?:update|share|no key|key)\b|\bpg_|\b(?:next|set)val\b/i;

/** New rows whose number is known beforehand: no upsert, nothing to be told back. */
function plainInsert(node: RootOperationNode): { table: string; rows: number } | undefined {
  if (node.kind !== "InsertQueryNode") return undefined;
  const { into, values, onConflict, returning, onDuplicateKey, ignore } = node as InsertQueryNode;
  if (!into || onConflict || returning || onDuplicateKey || ignore || values?.kind !== "ValuesNode") return undefined;
  const { values: rows } = values as unknown as { values: readonly unknown[] };
  return { table: into.table.identifier.name, rows: rows.length };
}

function updatedTable(node: RootOperationNode): string | undefined {
  if (node.kind !== "UpdateQueryNode") return undefined;
  const { table } = node as UpdateQueryNode;
  return table?.kind === "TableNode" ? (table as unknown as Named).table.identifier.name : undefined;
}

interface Named {
  readonly table: { readonly identifier: { readonly name: string } };
}
