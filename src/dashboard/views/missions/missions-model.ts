import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import type { LiveEvent } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { statusWord } from "../../parts/mission-words.ts";

export type MissionLine = Pick<
  AnswerOf<"mission_list">["missions"][number],
  "mission_id" | "name" | "status" | "outcome" | "current_phase" | "total_phases" | "developer" | "created_at"
>;

export const missionsReading: Reading<readonly MissionLine[]> = {
  key: "missions",
  async load(signal) {
    const { missions } = await read("/api/missions", { limit: 200 }, signal);
    for (const { mission_id, name } of missions) learnName(mission_id, name);
    return missions;
  },
  applyEvent: (lines, event) => (isAboutMissions(event) ? readAgain : lines),
};

/** A mission that begins, moves on, ends, is blocked or set free; a workflow of the older form is one as well. */
const isAboutMissions = ({ kind }: LiveEvent): boolean => kind.startsWith("mission.") || alsoAboutMissions.has(kind);

const alsoAboutMissions = new Set(["workflow.created", "workflow.statusChanged", "note.raised", "note.resolved"]);

/** How many phases are over; the last one is once the mission is. */
export const phasesDone = ({ current_phase, total_phases, status }: MissionLine): number =>
  status === "COMPLETED" ? total_phases : current_phase - 1;

const order = ["waiting", "active", "planned"];

/** What waits for a person first, then what is under way, then what is over. */
export function chooseMissions(lines: readonly MissionLine[], text: string): MissionLine[] {
  const wanted = text.trim().toLowerCase();
  return lines
    .filter((line) => `${line.name} ${line.developer}`.toLowerCase().includes(wanted))
    .sort((one, other) => rankOf(one) - rankOf(other) || other.created_at.localeCompare(one.created_at));
}

function rankOf(line: MissionLine): number {
  const place = order.indexOf(statusWord(line.status));
  return place === -1 ? order.length : place;
}
