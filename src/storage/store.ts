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
  /** Throws when one of these cannot be kept; asked while the operation that recorded them can still fail alone. */
  check(entries: readonly PendingEntry[]): void;
  /** Called inside the transaction, once for all operations in it, just before the commit. */
  append(db: Db, entries: readonly PendingEntry[]): Promise<readonly LedgerEntry[]>;
  /**
   * Called after the commit and before its answers, never for what was rolled back; must not throw. `entries` have
   * their places already, as on SQLite; `recorded` is everything that was committed, placed or not.
   */
  committed(entries: readonly LedgerEntry[], recorded: readonly PendingEntry[]): void;
}

export interface StoreOptions {
  /** What SQLite syncs. Anything but `full` loses acknowledged writes when the power fails; for measurements only. */
  readonly synchronous?: "full" | "normal";
  /** Opens a store that was found damaged as one that takes changes: a person has decided so. */
  readonly acceptsDamage?: boolean;
}

export interface TransactOptions {
  /** Aborting before the operation has finished rolls it back; afterwards the commit stands. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What is done, such as a tool's name. Operations that say it may share a transaction with others that arrive at the
   * same time; those of one kind are expected to behave alike.
   */
  readonly kind?: string | undefined;
}

/** One store, whichever database is behind it. */
export interface Store {
  readonly dialect: Dialect;
  /** Where it is, without secrets; for status answers. */
  readonly location: string;
  /** Why writes are refused, once they are: of a damaged store, or after a failed fsync, when only a restart can tell what was kept. */
  readonly readOnlyReason: string | null;
  /** The store was found damaged: it takes no changes any more, after a restart neither, until a person has decided. */
  distrust(problem: string): Promise<void>;
  /** A person has decided: what was noted is forgotten. */
  trust(): Promise<void>;
  /** Runs reads on one consistent snapshot. */
  read<T>(body: (db: Db) => Promise<T>, options?: TransactOptions): Promise<T>;
  /**
   * Runs one operation durably: resolves only after its commit, rejects only when nothing of it was kept. The one
   * exception says so: OUTCOME_UNKNOWN, when the store failed in the very act of saving.
   */
  transact<T>(body: (db: Db) => Promise<Outcome<T>>, options?: TransactOptions): Promise<T>;
  /** Copies the store to a new file while it is in use. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
