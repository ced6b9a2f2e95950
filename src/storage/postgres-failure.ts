import { Refusal } from "../contract/refusal.ts";

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? "");

/** Serialization failure, deadlock, and a unique key that someone else took first. */
const isLostRace = (error: unknown): boolean => ["40001", "40P01", "23505"].includes(codeOf(error));

/** A page whose checksum does not hold, a broken row or index. */
export const isDamage = (error: unknown): boolean => ["XX001", "XX002"].includes(codeOf(error));

const networkCodes = ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"];

export const isConnectionLost = (error: unknown): boolean =>
  /^(08|57P0)/.test(codeOf(error)) ||
  networkCodes.includes(codeOf(error)) ||
  (error instanceof Error && /Connection terminated|not queryable/.test(error.message));

/** The server itself said no and goes on: whatever was asked of it has not happened. */
export const isRefusedByServer = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(error)) && !isConnectionLost(error);

export const unreachable = (error: unknown): Refusal =>
  new Refusal("SERVER_UNREACHABLE", "The database cannot be reached.", "Check that PostgreSQL runs.", {
    reason: codeOf(error) || "unknown",
  });

/** What a failure before the commit means: nothing was kept, so a lost connection is simply "try again". */
export function explain(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  if (isLostRace(error)) return new Refusal("STALE", "The record changed meanwhile.");
  if (isConnectionLost(error)) {
    return new Refusal("SERVER_UNREACHABLE", "The database connection was lost; nothing was changed.", "Call again.");
  }
  if (codeOf(error) === diskFull) return new Refusal("STORE_FULL", "The database's disk is full; nothing was changed.");
  if (codeOf(error) === readOnly) return new Refusal("STORE_READ_ONLY", "The database takes no changes.");
  return error;
}

const diskFull = "53100";
const readOnly = "25006";
