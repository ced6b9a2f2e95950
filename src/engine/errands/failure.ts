import { errors } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { ErrandFailure } from "../../domain/errand.ts";

/** Whether trying again could help: something out there is busy, full or slow, or failed in a way nobody foresaw. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Refusal)) return true;
  if (error.details["isFinal"] === true) return false;
  const { kind } = errors[error.code];
  return kind === "unavailable" || kind === "timeout" || kind === "limit" || error.code === "STALE";
}

/**
 * How often work is tried that failed so. What took too long may have met a busy machine; what takes too long again
 * hangs, and holds a place that others wait for.
 */
export function mostTriesAfter(error: unknown, mostAttempts: number): number {
  if (!isPassing(error)) return 1;
  const isLate = error instanceof Refusal && (error.code === "TOOL_TIMEOUT" || error.details["isLate"] === true);
  return isLate ? Math.min(mostAttempts, mostTriesWhenLate) : mostAttempts;
}

const mostTriesWhenLate = 2;

/** A failure as it is kept: of what nobody foresaw only that it happened; the log has the rest. */
export function failureOf(error: unknown): ErrandFailure {
  if (!(error instanceof Refusal)) return { code: "INTERNAL", message: "Something failed on our side.", detail: null };
  const detail = error.details["detail"];
  return { code: error.code, message: error.message, detail: typeof detail === "string" ? detail : null };
}

const firstPauseMs = 1_000;
export const longestPauseMs = 60_000;

/** The pause before the next attempt; it grows fourfold. */
export const pauseAfter = (attempts: number): number => Math.min(firstPauseMs * 4 ** (attempts - 1), longestPauseMs);
