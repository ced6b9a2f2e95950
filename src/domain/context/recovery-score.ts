import type { Kept, RecoveryScore } from "./recovery-model.ts";
import type { PackedTask, PackPart, TaskContext } from "./task-context.ts";

/** Of a task that was packed, what came back of it; what was cut or left out did not (CX15). */
export function scorePack(chosen: PackedTask["chosen"], context: TaskContext): RecoveryScore {
  const textOf = (...parts: readonly PackPart[]): string =>
    JSON.stringify(chosen.filter(({ part }) => parts.includes(part)).map(({ value }) => value));
  const countIn = (text: string, words: readonly string[]): number =>
    words.filter((one) => text.includes(JSON.stringify(one))).length;
  const decisions = [...context.notes, ...context.highlights].filter(({ kind }) => kind === "decision");
  const summaries = new Map(decisions.map(({ id, summary }) => [id, summary]));
  const steps = context.task.plan?.steps ?? [];
  return {
    decisions: { kept: countIn(textOf("notes", "highlights"), [...summaries.values()]), all: context.decisionCount },
    files: { kept: countIn(textOf("files", "notes"), context.files), all: context.fileCount },
    steps: { kept: countIn(textOf("plan"), steps), all: steps.length },
  };
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
