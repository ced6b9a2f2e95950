import type { AnswerOf } from "../../tools/calls.ts";

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
