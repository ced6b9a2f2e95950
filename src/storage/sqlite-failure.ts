import { Refusal } from "../contract/refusal.ts";
import { refuseDamaged } from "./damage.ts";

const busy = 5;
const readOnly = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const notADatabase = 26;

/** SQLite's own words for the codes above: an error met while listing rows comes from the driver without its number. */
const codeByWords: ReadonlyMap<string, number> = new Map([
  ["database is locked", busy],
  ["attempt to write a readonly database", readOnly],
  ["disk I/O error", ioError],
  ["database disk image is malformed", corrupt],
  ["database or disk is full", full],
  ["file is not a database", notADatabase],
]);

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") return errcode & 0xff;
  return code === "ERR_SQLITE_ERROR" ? codeByWords.get(error.message) : undefined;
}

const isOneOf = (error: unknown, codes: readonly number[]): boolean => {
  const code = primaryCode(error);
  return code !== undefined && codes.includes(code);
};

export const isBusy = (error: unknown): boolean => isOneOf(error, [busy]);

export const isDiskFull = (error: unknown): boolean => isOneOf(error, [full]);

export const isNotADatabase = (error: unknown): boolean => isOneOf(error, [notADatabase]);

export const isDamaged = (error: unknown): boolean => isOneOf(error, [corrupt, notADatabase]);

/** Failures of the store itself: SQLite may have rolled the whole transaction back, not only the operation at fault. */
export const isStoreFailure = (error: unknown): boolean =>
  isOneOf(error, [readOnly, ioError, corrupt, full, notADatabase]);

/** The file was deleted or replaced under us: what was written since may be nowhere. */
export class StoreGoneError extends Error {
  override readonly name = "StoreGoneError";
}

interface Diagnosis {
  /** What the callers are told. */
  readonly failure: unknown;
  /** Why nothing may be written any more, if so: only a restart can tell what the disk has kept. */
  readonly readOnlyReason: string | null;
  /** What is wrong with the file itself, which no restart mends. */
  readonly damage?: string;
}

/** What a failed transaction means. Of a failed disk write nobody knows whether it was kept; a full disk keeps nothing. */
export function diagnose(error: unknown): Diagnosis {
  if (error instanceof StoreGoneError) {
    return {
      failure: new Refusal("OUTCOME_UNKNOWN", "The store's file was deleted or replaced while the server ran."),
      readOnlyReason: "the store's file was deleted or replaced; stop the server and restore a backup",
    };
  }
  switch (primaryCode(error)) {
    case busy:
      return { failure: new Refusal("STALE", "The store was busy."), readOnlyReason: null };
    case full:
      return { failure: new Refusal("STORE_FULL", "The disk is full; nothing was changed."), readOnlyReason: null };
    case ioError:
      return {
        failure: new Refusal("OUTCOME_UNKNOWN", "The disk failed while the change was being saved."),
        readOnlyReason: "a disk write failed",
      };
    case readOnly:
      return refuseWrites("the file cannot be written");
    case corrupt:
    case notADatabase: {
      const damage = (error as Error).message;
      return { failure: refuseDamaged(damage), readOnlyReason: null, damage };
    }
    default:
      return { failure: error, readOnlyReason: null };
  }
}

const refuseWrites = (reason: string): Diagnosis => ({ failure: readOnlyRefusal(reason), readOnlyReason: reason });

export const readOnlyRefusal = (reason: string): Refusal =>
  new Refusal("STORE_READ_ONLY", "The store is read-only.", undefined, { reason });
