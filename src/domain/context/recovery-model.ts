import { z } from "zod";
import type { NoteId } from "../../contract/ids.ts";

/** How many of them were in the pack. */
export interface Kept {
  readonly kept: number;
  readonly all: number;
}

/** What of a task's decisions, files and next steps came back with its context, at the budget that was used. */
export interface RecoveryScore {
  readonly decisions: Kept;
  readonly files: Kept;
  readonly steps: Kept;
}

/** What did not come back and is still in force, as its reader may read it: a few of each kind, the newest first. */
export interface Missing {
  readonly decisions: readonly { readonly id: NoteId; readonly summary: string }[];
  readonly files: readonly string[];
  readonly steps: readonly string[];
}

/**
 * The same by where it stands in the task: a decision by its note's number, a file by the note that names it and its
 * place in there, a step by its place in the plan. The words are the task's own and are hidden, or given up, with it.
 */
export const MissingPlaces = z.object({
  decisions: z.array(z.number()),
  files: z.array(z.string()),
  steps: z.array(z.number()),
  /** Which plan and which receipt that was. */
  plan: z.string().nullable(),
  receipt: z.number().nullable(),
});
export type MissingPlaces = z.infer<typeof MissingPlaces>;

/** How much of what agents had forgotten came back to them, over all times that they loaded a task's context. */
export interface RecoverySum extends RecoveryScore {
  readonly count: number;
}
