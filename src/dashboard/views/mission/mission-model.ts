import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export interface PhaseLine {
  readonly phase_number: number;
  readonly name: string;
  readonly status: string;
  readonly tasks_count: number;
  readonly duration_seconds: number;
}

export interface ReceiptLine {
  readonly level: "claimed" | "checked" | "reproduced";
  readonly scope_match: boolean;
  readonly tests_status: string | null;
  readonly checks: string;
  readonly failing_checks: readonly { readonly name: string; readonly last_lines: string }[];
  readonly files_changed: readonly string[];
  readonly files_changed_count: number;
}

export interface MissionTask {
  readonly id: string;
  readonly name: string;
  readonly goal: string;
  readonly phase: number | null;
  readonly status: string;
  readonly agent_name: string | null;
  readonly parent_task_id: string | null;
  readonly started_at: string | null;
  readonly duration_seconds: number | null;
  readonly summary: string | null;
  readonly receipt: ReceiptLine | null;
}

export interface Decision {
  readonly id: string;
  readonly question: string;
  readonly chosen: string;
  readonly reasoning: string;
  readonly category: string;
  readonly created_at: string;
}

export interface Milestone {
  readonly id: string;
  readonly message: string;
  readonly progress: number | null;
  readonly created_at: string;
}

export interface Blocker {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly requires_human_review: boolean;
  readonly created_at: string;
}

/** How a mission ended; nothing of it before. */
export interface MissionEnd {
  readonly outcome?: "completed" | "failed" | "partial";
  readonly summary?: string;
  readonly achievements?: readonly string[];
  readonly limitations?: readonly string[];
  readonly completed_at?: string;
}

export interface MissionDetail extends MissionEnd {
  readonly mission_id: string;
  readonly mission_name: string;
  readonly mission_status: string;
  readonly current_phase: number;
  readonly total_phases: number;
  readonly phase_summary: readonly PhaseLine[];
  readonly tasks: readonly MissionTask[];
  readonly decisions: readonly Decision[];
  readonly milestones: readonly Milestone[];
  readonly blockers: readonly Blocker[];
}

export function missionReading(id: string): Reading<MissionDetail> {
  return {
    key: `mission ${id}`,
    async load(signal) {
      const mission = await read<MissionDetail>(`/api/missions/${encodeURIComponent(id)}`, {}, signal);
      learnName(mission.mission_id, mission.mission_name);
      for (const task of mission.tasks) learnName(task.id, task.name);
      return mission;
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
    : [...phases, { number: null, name: "Without a phase", status: "IN_PROGRESS", seconds: 0, tasks: loose }];
}

/** What the newest milestone says, if it says a share. */
export const progressOf = ({ milestones }: MissionDetail): number | undefined =>
  milestones.find((milestone) => milestone.progress !== null)?.progress ?? undefined;

export const levelWords: Readonly<Record<ReceiptLine["level"], string>> = {
  claimed: "claimed: the agent's word",
  checked: "checked: git confirms the changes",
  reproduced: "reproduced: the repository's checks passed",
};

/** A receipt that a person should look at. */
export const isDoubtful = (receipt: ReceiptLine): boolean => !receipt.scope_match || receipt.failing_checks.length > 0;
