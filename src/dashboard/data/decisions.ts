import type { AnswerOf } from "../../tools/calls.ts";
import { callTool } from "./api.ts";

/** What a person can decide about a start that needs a decision. */
export type Decision =
  | { readonly kind: "confirm" | "refuse"; readonly reason: string }
  | { readonly kind: "join"; readonly candidateId: string; readonly reason: string };

type Other = AnswerOf<"overlap_get">["others"][number];

/** Existing work that a start was held up for. */
export type Candidate = Other & { readonly id: string };

export const candidatesOf = ({ others }: AnswerOf<"overlap_get">): readonly Candidate[] =>
  others.filter((other): other is Candidate => other.needs_verdict && other.id !== null);

/** A verdict without a sentence tells nobody anything later. */
export const leastReason = 10;

export const decideStart = (checkId: string, decision: Decision): Promise<unknown> => {
  const reason = decision.reason.trim();
  switch (decision.kind) {
    case "confirm":
      return callTool("check_confirm", { check_id: checkId, reason });
    case "refuse":
      return callTool("check_refuse", { check_id: checkId, reason });
    case "join":
      return callTool("check_join", {
        check_id: checkId,
        candidate_id: decision.candidateId,
        ...(reason === "" ? {} : { reason }),
      });
  }
};

export const saidDecision: Readonly<Record<Decision["kind"], string>> = {
  confirm: "Start confirmed. The agent can start now.",
  refuse: "Start refused. The agent reads your reason.",
  join: "Joined. The agent works with the existing task.",
};
