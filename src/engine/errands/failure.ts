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
 * Whether work that failed so is tried again. What took too long may have met a busy machine; what takes too long twice in a
 * row hangs, and holds a place that others wait for.
 */
export function isTriedAgain(
  error: unknown,
  { attempts, wasLate, mostAttempts }: { attempts: number; wasLate: boolean; mostAttempts: number },
): boolean {
  return isPassing(error) && attempts < mostAttempts && !(wasLate && isLate(error));
}

const isLate = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === "TOOL_TIMEOUT" || error.details["isLate"] === true);

/** A failure as it is kept: of what nobody foresaw only that it happened; the log has the rest. */
export function failureOf(error: unknown): ErrandFailure {
  if (!(error instanceof Refusal)) return { code: "INTERNAL", message: "Something failed on our side.", detail: null };
  const detail = error.details["detail"];
  return {
    code: error.code,
    message: error.message,
    detail: typeof detail === "string" ? detail : null,
    ...(isLate(error) && { isLate: true }),
  };
}

const firstPauseMs = 1_000;
export const longestPauseMs = 60_000;

/** The pause before the next attempt; it grows fourfold. */
export const pauseAfter = (attempts: number): number => Math.min(firstPauseMs * 4 ** (attempts - 1), longestPauseMs);
