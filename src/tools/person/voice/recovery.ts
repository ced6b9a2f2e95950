import { z } from "zod";
import type { Kept, RecoveryScore } from "../../../domain/context/recovery-model.ts";

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
