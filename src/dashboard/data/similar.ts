import type { AnswerOf } from "../../tools/calls.ts";
import { read } from "./api.ts";
import { isAboutDoubts } from "./doubts.ts";
import { type Reading, readAgain } from "./store.ts";

type Planned = AnswerOf<"task_plan">;
/** Other work that a plan was compared with, whether or not it is like it. */
export type Similar = Pick<
  Planned["matches"][number] | Planned["nearest"][number],
  "id" | "type" | "title" | "owner" | "agent" | "status" | "reason"
>;

let last: { readonly title: string; readonly similar: readonly Similar[] } = { title: "", similar: [] };

/** What the last plan was compared with, for whoever wants to look at it. */
export const readSimilar = (): typeof last => last;

export function keepSimilar(title: string, similar: readonly Similar[]): void {
  last = { title, similar };
}

/** The work most similar to a task, a workstream or what a check looked for. */
export const similarReading = (id: string): Reading<readonly Similar[]> => ({
  key: `similar to ${id}`,
  load: async (signal) => (await read("/api/similar/:id", { id }, signal)).similar,
  applyEvent: (value, event) => (isAboutDoubts(event) ? readAgain : value),
});
