import { z } from "zod";
import { NoteId } from "../../../contract/ids.ts";
import { shortened } from "../../../contract/shortened.ts";
import type { Kept, Missing, RecoveryScore } from "../../../domain/context/recovery-model.ts";

/** How much of a task's memory came back with its context. */

const KeptRecord = z.object({ kept: z.number().int(), all: z.number().int() });

export const ScoreRecord = z.object({
  decisions: KeptRecord.describe("Decisions of the plan in force."),
  files: KeptRecord.describe("Files that were changed."),
  next_steps: KeptRecord.describe("Steps of the plan in force."),
});

const kept = ({ kept, all }: Kept) => ({ kept, all });

export const scoreRecord = ({ decisions, files, steps }: RecoveryScore): z.input<typeof ScoreRecord> => ({
  decisions: kept(decisions),
  files: kept(files),
  next_steps: kept(steps),
});

const mostCharacters = 200;

const Words = z.string().describe(`At most ${mostCharacters} characters.`);

export const MissingRecord = z.object({
  decisions: z.array(z.object({ id: NoteId, summary: Words })),
  files: z.array(Words),
  next_steps: z.array(Words),
});

const cut = (words: string): string => shortened(words, mostCharacters);

export const missingRecord = ({ decisions, files, steps }: Missing): z.input<typeof MissingRecord> => ({
  decisions: decisions.map(({ id, summary }) => ({ id, summary: cut(summary) })),
  files: files.map(cut),
  next_steps: steps.map(cut),
});
