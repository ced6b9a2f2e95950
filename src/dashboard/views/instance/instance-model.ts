import type { ChangedFile } from "../../../contract/task-diff.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import { isAboutInstances } from "../../data/instances.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export type InstanceDetail = AnswerOf<"instance_get">;
type InstanceDiff = AnswerOf<"instance_diff">;
export type Feedback = InstanceDetail["feedback"][number];
type Round = InstanceDetail["rounds"][number];

export const instanceReading = (id: string): Reading<InstanceDetail> => ({
  key: `instance:${id}`,
  load: (signal) => read("/api/instances/:id", { id }, signal),
  applyEvent: (instance, event) => (isAboutInstances(event) ? readAgain : instance),
});

/** Commits have no events of their own: it is read anew with every opening and on demand. */
export const instanceDiffReading = (id: string): Reading<InstanceDiff> => ({
  key: `instance-diff:${id}`,
  load: (signal) => read("/api/instances/:id/diff", { id }, signal),
  applyEvent: (diff, event) => (isAboutInstances(event) ? readAgain : diff),
});

/** How often its program was started: a new turn has a new terminal. */
export const turnsOf = ({ events }: InstanceDetail): number =>
  events.filter(({ event }) => event === "instance:launched").length;

const outcomes: Readonly<Record<Round["outcome"], string>> = {
  live: "In progress",
  delivering: "Sending feedback",
  feedback: "Feedback sent",
  approved: "Approved",
  superseded: "Replaced by a newer round",
  died: "Reviewer ended without a verdict",
  timed_out: "Timed out",
  stopped: "Stopped",
};

export const sayOutcome = ({ outcome }: Round): string => outcomes[outcome];

const kinds: Readonly<Record<Feedback["feedback_type"], string>> = {
  needs_work: "Needs work",
  suggestions: "Suggestions",
  clarification: "Question",
};

export const sayFeedback = ({ feedback_type }: Feedback): string => kinds[feedback_type];

export function sayChanges(files: readonly ChangedFile[]): string {
  const sum = (key: "added_lines" | "deleted_lines"): number => files.reduce((total, file) => total + file[key], 0);
  return `+${sum("added_lines").toLocaleString("en")} -${sum("deleted_lines").toLocaleString("en")}`;
}
