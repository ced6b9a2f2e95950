import { z } from "zod";
import { openRecord } from "../../../contract/open-record.ts";
import { Told } from "../../../contract/told.ts";

const factsByName = "The facts, by name.";

/** What every tool of this family answers (TW1): how it went, in one sentence, and the very next thing to do. */
export const TeamAnswer = z.object({
  status: z.enum(["ok", "warning", "blocked", "error"]).describe("How it went."),
  message: z.string().describe("The result in one sentence."),
  feedback: z
    .object({
      type: z.enum(["info", "warning", "block", "error"]).describe("How serious it is."),
      required_action: z.string().nullable().describe("The next call to make, or null."),
    })
    .describe("What to do about it."),
  data: z.record(z.string(), z.unknown()).describe(factsByName),
});
export type TeamAnswer = z.infer<typeof TeamAnswer>;

/** The answer of an operation whose facts others of this house rely on; it is published like any other. */
export const teamAnswerWith = <Data extends Record<string, unknown>>() =>
  TeamAnswer.extend({ data: openRecord<Data>().describe(factsByName) });

interface Telling<Data = Record<string, unknown>> {
  /** One sentence of our own; words that came from people or agents belong into `data`. */
  readonly message: string;
  readonly data: Data;
  /** What the agent should call next. */
  readonly next?: string | null;
}

export const tell = <Data extends Record<string, unknown>>({ message, data, next = null }: Telling<Data>) => ({
  status: "ok" as const,
  message,
  feedback: { type: "info" as const, required_action: next },
  data,
});

/** An answer of this family; one that warns or blocks is kept. */
export type TeamTold = TeamAnswer | Told<TeamAnswer>;

/** The work goes on, but the agent should know; the warning can be read back later. `subject` is the record it is about. */
export const warn = (subject: string, telling: Telling & { next: string }): Told<TeamAnswer> =>
  withFeedback(subject, "warning", telling);

/** The call did not do what was asked, and says what is missing. `data.code` names why. */
export const block = (
  subject: string,
  telling: Telling & { next: string; data: { code: string } & Record<string, unknown> },
): Told<TeamAnswer> => withFeedback(subject, "block", telling);

function withFeedback(
  subject: string,
  type: "warning" | "block",
  { message, data, next = null }: Telling,
): Told<TeamAnswer> {
  const code = typeof data["code"] === "string" ? data["code"] : null;
  const answer: TeamAnswer = {
    status: type === "block" ? "blocked" : "warning",
    message,
    feedback: { type, required_action: next },
    data,
  };
  return new Told(answer, [{ type, subject, message, requiredAction: next, code }]);
}
