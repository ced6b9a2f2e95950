import { type ErrorCode, errors, namespaceCode } from "./errors.ts";
import { type NextStep, type NextStepWords, sayNextStep } from "./next-step.ts";
import { type Details, Refusal } from "./refusal.ts";
import { schemaVersion, toolVersion } from "./versions.ts";

/** What every HTTP answer and every MCP result says about itself (HT1, MC10). */
export interface Meta {
  readonly schemaVersion: string;
  readonly toolVersion: string;
  readonly ts: string;
  readonly requestId: string;
  readonly durationMs: number;
}

export const metaOf = (requestId: string, startedAt: number, now: number): Meta => ({
  schemaVersion,
  toolVersion,
  ts: new Date(now).toISOString(),
  requestId,
  durationMs: Math.max(0, now - startedAt),
});

/** A refusal as the caller sees it, on every transport. */
export interface Failure extends Details {
  readonly code: ErrorCode;
  readonly namespaceCode: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * The public face of whatever was thrown. A fault's own text never leaves the house: only the call id does, with
 * which the log line can be found. `words` are those of the tool that was called, for the next step.
 */
export function failureOf(thrown: unknown, callId: string, words?: NextStepWords): Failure {
  const refusal =
    thrown instanceof Refusal
      ? thrown
      : new Refusal("INTERNAL", "Something failed on our side.", undefined, { callId });
  return {
    code: refusal.code,
    namespaceCode: namespaceCode(refusal.code),
    message: refusal.message,
    hint: sayHint(refusal.step ?? refusal.hint ?? errors[refusal.code].hint, words),
    ...refusal.details,
  };
}

export const sayHint = (hint: string | NextStep, words?: NextStepWords): string =>
  typeof hint === "string" ? hint : sayNextStep(hint, words);

/** A failure in the shape that the team family always answers (HT12), beside its plain fields: either reader finds its own. */
export const teamFailure = (failure: Failure): Record<string, unknown> => ({
  ...failure,
  status: "error",
  feedback: { type: "error", required_action: failure.hint },
  data: { code: failure.code },
});

/** A failure as a tool of this family words it. */
export const failureIn = (family: string | undefined, failure: Failure): Record<string, unknown> =>
  family === "team" ? teamFailure(failure) : failure;

export type HttpEnvelope =
  | { readonly ok: true; readonly result: unknown; readonly _meta: Meta }
  | { readonly ok: false; readonly error: HttpError; readonly _meta: Meta };

interface HttpError {
  readonly code: ErrorCode;
  readonly namespaceCode: string;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
}

export const okEnvelope = (result: unknown, meta: Meta): HttpEnvelope => ({ ok: true, result, _meta: meta });

export function failedEnvelope(failure: Failure, meta: Meta): HttpEnvelope {
  const { code, namespaceCode: general, message, hint, ...rest } = failure;
  return { ok: false, error: { code, namespaceCode: general, message, hint, ...detailsOf(rest) }, _meta: meta };
}

/** What else is known of a failure goes into its details; beside them where those are a list (IN8). */
function detailsOf(rest: Details): { readonly details?: unknown } {
  const { details, ...others } = rest;
  if (Array.isArray(details)) return rest;
  if (Object.keys(rest).length === 0) return {};
  return { details: details !== undefined && Object.keys(others).length === 0 ? details : rest };
}
