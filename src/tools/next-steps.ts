import type { NextStepWords } from "../contract/next-step.ts";
import { missionSteps } from "./mission/voice/next-steps.ts";
import { personSteps } from "./person/voice/next-steps.ts";
import { reviewSteps } from "./review/voice/next-steps.ts";
import { teamSteps } from "./team/voice/next-steps.ts";
import { workflowSteps } from "./workflow/voice/next-steps.ts";

/**
 * How every tool words a next step. One list for all: work is shared between the families, and what helps out of a
 * refusal may be a tool of another one.
 */
export const nextStepWords: NextStepWords = {
  buildCopy: "Build it with build_sqlite_index, then call again.",
  buildIndex: "Build it with build_index, then call again.",
  ...workflowSteps,
  ...missionSteps,
  ...teamSteps,
  ...personSteps,
  ...reviewSteps,
};
