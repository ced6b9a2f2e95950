import { z } from "zod";
import type { FailingCheck, TaskMission } from "../../../domain/context/operations.ts";
import { receiptLevels } from "../../../domain/evidence/model.ts";
import type { Note } from "../../../domain/note/model.ts";
import type { ContextPiece } from "./context-pieces.ts";
import { shortened } from "./work.ts";

/** What the context of a mission's task has beside that of any other. */
export const MissionContext = z.object({
  objective: z.string().optional(),
  phase: z
    .object({ number: z.number().int(), name: z.string(), current: z.number().int(), total: z.number().int() })
    .optional(),
  level: z.enum(receiptLevels).optional().describe("What this task's receipt is worth, once it has ended."),
  scope_match: z.boolean().optional(),
  tests_status: z.string().optional().describe("As the agent said it."),
  blockers: z
    .array(z.object({ id: z.string(), description: z.string() }))
    .optional()
    .describe("They wait for a person."),
  failing_checks: z
    .array(z.object({ name: z.string(), task: z.string(), status: z.string(), last_lines: z.string() }))
    .optional(),
});
export type MissionContext = z.input<typeof MissionContext>;

const longestName = 80;

/** Most needed first: what fails, what blocks, where it stands. */
export const missionPieces = (mission: TaskMission): ContextPiece[] => [
  ...mission.failing.map(failingPiece),
  ...mission.blockers.map(blockerPiece),
  ...statePieces(mission),
];

const failingPiece = ({ taskName, result }: FailingCheck, order: number): ContextPiece => ({
  section: "failing_checks",
  share: 0.08,
  order,
  put: ({ mission }, value) => void mission?.failing_checks?.push(value),
  fit(most) {
    const { name, status, lastLines } = result;
    // The end of an output is where the reason stands.
    const last_lines = lastLines.slice(Math.max(0, lastLines.length - most));
    const value = { name, task: shortened(taskName, longestName), status, last_lines };
    return { value, cut: lastLines.length - last_lines.length };
  },
});

const blockerPiece = (note: Note, order: number): ContextPiece => ({
  section: "blockers",
  share: 0.05,
  order,
  put: ({ mission }, value) => void mission?.blockers?.push(value),
  fit(most) {
    const description = shortened(note.summary, Math.max(longestName, most));
    return { value: { id: note.id, description }, cut: note.summary.length - description.length };
  },
});

function statePieces({ brief, phase, receipt }: TaskMission): ContextPiece[] {
  const { currentPhase: current, totalPhases: total } = brief;
  const tests = receipt?.metadata["tests_status"];
  const state: MissionContext = {
    ...(phase ? { phase: { number: phase.number, name: shortened(phase.name, longestName), current, total } } : {}),
    ...(receipt ? { level: receipt.level, scope_match: receipt.scopeMatch } : {}),
    ...(typeof tests === "string" ? { tests_status: tests } : {}),
  };
  const objective: ContextPiece = {
    section: "objective",
    share: 0.05,
    order: 0,
    put: ({ mission }, value) => void Object.assign(mission ?? {}, { objective: value }),
    fit(most) {
      const text = shortened(brief.objective, Math.max(longestName, most));
      return { value: text, cut: brief.objective.length - text.length };
    },
  };
  const where: ContextPiece = {
    section: "mission",
    order: 0,
    put: ({ mission }, value) => void Object.assign(mission ?? {}, value),
    fit: () => ({ value: state, cut: 0 }),
  };
  return [where, objective];
}
