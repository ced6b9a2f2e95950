import { placeMissing, type TaskWords } from "./recovery-missing.ts";
import type { Kept, MissingPlaces, RecoveryScore } from "./recovery-model.ts";
import type { PackedTask, PackPart, TaskContext } from "./task-context.ts";

/** Of a task that was packed, what came back of it; what was cut or left out did not (CX15). */
export function scorePack(chosen: PackedTask["chosen"], context: TaskContext): RecoveryScore {
  const pack = readPack(chosen);
  const decisions = [...context.notes, ...context.highlights].filter(({ kind }) => kind === "decision");
  const summaries = new Map(decisions.map(({ id, summary }) => [id, summary]));
  const steps = context.task.plan?.steps ?? [];
  return {
    decisions: { kept: [...summaries.values()].filter(pack.decision).length, all: context.decisionCount },
    files: { kept: context.files.filter(pack.file).length, all: context.fileCount },
    steps: { kept: steps.filter(pack.step).length, all: steps.length },
  };
}

/** What of it did not come back, by where it stands in the task. */
export const listMissing = (chosen: PackedTask["chosen"], words: TaskWords): MissingPlaces =>
  placeMissing(words, readPack(chosen));

/** Whether something is in the pack whole. */
function readPack(chosen: PackedTask["chosen"]) {
  const isIn = (...parts: readonly PackPart[]) => {
    const text = JSON.stringify(chosen.filter(({ part }) => parts.includes(part)).map(({ value }) => value));
    return (words: string): boolean => text.includes(JSON.stringify(words));
  };
  return { decision: isIn("notes", "highlights"), file: isIn("files", "notes"), step: isIn("plan") };
}

/** Scores of several recoveries as one. */
export function addScores(scores: readonly RecoveryScore[]): RecoveryScore {
  const sum = (of: (score: RecoveryScore) => Kept): Kept => ({
    kept: scores.reduce((total, score) => total + of(score).kept, 0),
    all: scores.reduce((total, score) => total + of(score).all, 0),
  });
  return {
    decisions: sum(({ decisions }) => decisions),
    files: sum(({ files }) => files),
    steps: sum(({ steps }) => steps),
  };
}
