import { failureOf, teamFailure } from "../../contract/envelope.ts";
import type { Refusal } from "../../contract/refusal.ts";
import { modernMeta, modernResult } from "./conversation.ts";
import { errorFrame, resultFrame, rpcErrors } from "./message.ts";
import type { Pending } from "./pending.ts";

/** The answer to a request that no server will answer: advice the model can read, or the protocol's own error. */
export function failureFrame(pending: Pending, refusal: Refusal, isModern: boolean): string {
  const failure = failureOf(refusal, "");
  if (!pending.isCall) return errorFrame(pending.id, rpcErrors.internal, failure.message, failure);
  // The bridge knows no tool by name, so it answers in a shape that every family's reader understands.
  const answer = teamFailure(failure);
  return resultFrame(pending.id, {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: answer,
    isError: true,
    ...(isModern ? { ...modernResult, _meta: modernMeta } : {}),
  });
}
