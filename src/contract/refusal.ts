import type { ErrorCode } from "./errors.ts";
import { type NextStep, sayNextStep } from "./next-step.ts";

/** Extra facts a program may need beside the sentence. Never text that came from users, except as a plain value. */
export type Details = Record<string, unknown>;

/**
 * A "no" that changes nothing: thrown anywhere below `dispatch`, shown to the caller as it is.
 * The message says what is wrong, the hint says what to do next; both are safe to show to a model.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** The hint as a step that whoever words the refusal may say in its own words. */
  readonly step: NextStep | undefined;
  readonly details: Details;

  constructor(code: ErrorCode, message: string, hint?: string | NextStep, details: Details = {}) {
    super(message);
    this.code = code;
    this.step = typeof hint === "object" ? hint : undefined;
    this.hint = typeof hint === "object" ? sayNextStep(hint) : hint;
    this.details = details;
  }
}
