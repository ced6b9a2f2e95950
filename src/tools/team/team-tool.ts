import type { z } from "zod";
import { TeamAnswer } from "./voice/answer.ts";

/** What every tool of this family has in common: a session acts, and the answer says how it went. */
export const teamTool = {
  family: "team",
  actor: { key: "session_id", alsoCalled: "session_id" },
  output: TeamAnswer,
  statusOf: ({ status }: z.input<typeof TeamAnswer>): string => status,
} as const;
