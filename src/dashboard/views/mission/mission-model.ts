import type { ReadAt } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

type Mission = ReadAt<"/api/missions/:id">;
type Section = "phase_summary" | "tasks" | "decisions" | "milestones" | "blockers";

/** A mission with everything there is to know of it. */
export type MissionDetail = Omit<Mission, Section> & { readonly [Name in Section]: NonNullable<Mission[Name]> };
export type MissionTask = MissionDetail["tasks"][number];
export type Blocker = MissionDetail["blockers"][number];
export type ReceiptLine = NonNullable<MissionTask["receipt"]>;

export function missionReading(id: string): Reading<MissionDetail> {
  return {
    key: `mission ${id}`,
    async load(signal) {
      const mission = await read("/api/missions/:id", { id }, signal);
      const { phase_summary = [], tasks = [], decisions = [], milestones = [], blockers = [] } = mission;
      learnName(mission.mission_id, mission.mission_name);
      for (const task of tasks) learnName(task.id, task.name);
      return { ...mission, phase_summary, tasks, decisions, milestones, blockers };
    },
    applyEvent: (mission, event) => (isAbout(mission, event) ? readAgain : mission),
  };
}

const isAbout = ({ mission_id }: MissionDetail, event: LiveEvent): boolean =>
  event.subject === mission_id || textIn(event.data, "workflow_id") === mission_id;

export interface PhaseGroup {
  readonly number: number | null;
  readonly name: string;
  readonly status: string;
  readonly seconds: number;
  readonly tasks: readonly MissionTask[];
}

/** The phases in order, those to come included, each with its tasks from the first on. */
export function groupByPhase(mission: MissionDetail): PhaseGroup[] {
  const oldestFirst = mission.tasks.toReversed();
  const phases = Array.from({ length: mission.total_phases }, (_, at): PhaseGroup => {
    const number = at + 1;
    const phase = mission.phase_summary.find((one) => one.phase_number === number);
    return {
      number,
      name: phase?.name ?? `Phase ${number}`,
      status: phase?.status ?? "PLANNED",
      seconds: phase?.duration_seconds ?? 0,
      tasks: oldestFirst.filter((task) => task.phase === number),
    };
  });
  const loose = oldestFirst.filter((task) => task.phase === null);
  return loose.length === 0
    ? phases
    : [...phases, { number: null, name: "No phase", status: "IN_PROGRESS", seconds: 0, tasks: loose }];
}

/** What the newest milestone says, if it says a share. */
export const progressOf = ({ milestones }: MissionDetail): number | undefined =>
  milestones.find((milestone) => milestone.progress !== null)?.progress ?? undefined;

export const levelWords: Readonly<Record<ReceiptLine["level"], string>> = {
  "self-reported": "self-reported: nobody has verified it",
  verified: "verified: git confirms the changes",
  reproduced: "reproduced: the repository’s checks passed again",
};

/** A receipt that a person should look at. */
export const isDoubtful = (receipt: ReceiptLine): boolean => !receipt.scope_match || receipt.failing_checks.length > 0;
