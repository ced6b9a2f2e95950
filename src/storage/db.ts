import type { CompiledQuery, Kysely } from "kysely";
import type { LedgerEntry } from "../contract/event.ts";
import { Refusal } from "../contract/refusal.ts";
import type { Tables } from "./schema.ts";

export type Dialect = "sqlite" | "postgres";

/** A built query of rows `O`. Kysely builds and types it; we execute it, because its own executor costs more than SQLite. */
export interface Query<O> {
  compile(): CompiledQuery<O>;
}

/**
 * A database as an operation sees it: inside one transaction, the same on SQLite and PostgreSQL.
 *
 *     const row = await db.first(db.q.selectFrom("agent").selectAll().where("id", "=", id));
 */
export interface Db {
  readonly dialect: Dialect;
  /** What operations recorded that are committed together with this one and ran before it: it has no place in the ledger yet. */
  readonly recordedBefore: readonly Recorded[];
  /** Builds queries; never executes them. */
  readonly q: Kysely<Tables>;
  all<O>(query: Query<O>): Promise<O[]>;
  first<O>(query: Query<O>): Promise<O | undefined>;
  /** Executes a change and answers how many rows it touched. */
  run(query: Query<unknown>): Promise<number>;
  /** Executes a change of one row by the version that was read; STALE when that row is no longer there. */
  save(query: Query<unknown>): Promise<void>;
  /** Fixed statements only: never a text that was put together from values. */
  sql<O = Record<string, unknown>>(text: string, parameters?: readonly unknown[]): Promise<O[]>;
}

export type Recorded = Pick<LedgerEntry, "stream" | "subject">;

/**
 * Values bind alike on every driver or not at all. One driver binds a Date as NULL without a word, another throws on
 * booleans; one cuts a text at its first NUL, another refuses it. This is the only place where that is settled.
 */
export function bindable(value: unknown): string | number | bigint | Uint8Array | null {
  switch (typeof value) {
    case "string":
      if (unstorable.test(value)) throw unstorableText();
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw new TypeError(`${value} cannot be bound to a statement`);
    case "bigint":
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "object":
      if (value === null || value instanceof Uint8Array) return value;
  }
  throw new TypeError(`a ${value instanceof Date ? "Date" : typeof value} cannot be bound to a statement`);
}

/** NUL, and halves of a surrogate pair: no database gives them back as they came. */
const unstorable = /\0|\p{Surrogate}/u;

const unstorableText = () =>
  new Refusal(
    "INVALID_INPUT",
    "A text contains a character that cannot be stored.",
    "Leave out NUL characters and broken surrogate pairs.",
  );
