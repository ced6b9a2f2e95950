import type { LedgerEntry } from "../contract/event.ts";
import type { Db, Dialect } from "./db.ts";

/** An event on its way into the ledger, with who caused it. */
export interface PendingEntry extends Omit<LedgerEntry, "seq" | "hash"> {}

/** What an operation leaves behind: its answer, and the entries that must be committed with it. */
export interface Outcome<T> {
  readonly value: T;
  readonly entries: readonly PendingEntry[];
}

/** How the ledger gets its entries; given by the engine, because storage knows no nouns. */
export interface StoreHooks {
  /** Called inside the transaction, once for all operations in it, just before the commit. */
  append(db: Db, entries: readonly PendingEntry[]): Promise<readonly LedgerEntry[]>;
  /** Called after the commit, never for what was rolled back. */
  committed(entries: readonly LedgerEntry[]): void;
}

export interface TransactOptions {
  /** Aborting before the operation has finished rolls it back; afterwards the commit stands. */
  readonly signal?: AbortSignal | undefined;
}

/** One store, whichever database is behind it. */
export interface Store {
  readonly dialect: Dialect;
  /** Where it is, without secrets; for status answers. */
  readonly location: string;
  /** Why writes are refused, once they are: after a failed fsync only a restart can tell what was kept. */
  readonly readOnlyReason: string | null;
  /** Runs reads on one consistent snapshot. */
  read<T>(body: (db: Db) => Promise<T>): Promise<T>;
  /** Runs one operation durably: resolves only after its commit, rejects only when nothing of it was kept. */
  transact<T>(body: (db: Db) => Promise<Outcome<T>>, options?: TransactOptions): Promise<T>;
  /** Copies the store to a file while it is in use. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
