import type { ReadAt } from "../../../tools/calls.ts";
import type { Api } from "../api.ts";
import { cleanText, count, durationText, shorten, table } from "../text.ts";

/** The team in a few lines. */
export interface Team {
  readonly under_way: number;
  readonly planned: number;
  readonly completed: number;
  readonly sessions: number;
  readonly stale_sessions: number;
  readonly overlap_warnings: number;
  readonly inbox: number;
  readonly work: readonly GlanceWork[];
}

type State = ReadAt<"/api/state">;
type GlanceWork = Pick<State["activeWork"][number], "id" | "title" | "status" | "developer" | "updated_at">;

const mostWork = 10;

export async function readTeam(api: Api): Promise<Team> {
  const { totals, ...state } = await api.read("/api/state", {});
  const { items } = await api.read("/api/inbox", {});
  return {
    under_way: totals["activeWork"] ?? 0,
    planned: totals["plannedWork"] ?? 0,
    completed: totals["recentCompletions"] ?? 0,
    sessions: state.recentSessions.filter(({ status }) => status === "active").length,
    stale_sessions: totals["staleSessions"] ?? 0,
    overlap_warnings: totals["overlapWarnings"] ?? 0,
    inbox: items.length,
    work: state.activeWork
      .slice(0, mostWork)
      .map(({ id, title, status, developer, updated_at }) => ({ id, title, status, developer, updated_at })),
  };
}

export const teamRows = (team: Team): string[][] => [
  ["Work", `${team.under_way} under way, ${team.planned} planned, ${team.completed} finished in 14 days`],
  ["Sessions", `${team.sessions} at work, ${team.stale_sessions} silent for half an hour`],
  ...(team.overlap_warnings === 0 ? [] : [["Overlap", `${count(team.overlap_warnings, "open warning")}`]]),
  ["Inbox", team.inbox === 0 ? "nothing waits for you" : `${count(team.inbox, "thing")} for you: crewdeck inbox`],
];

/** What is under way, last touched first. */
export function teamLines({ work }: Team): string[] {
  if (work.length === 0) return [];
  const rows = work.map(({ id, title, status, developer, updated_at }) => [
    shorten(cleanText(title), 60),
    status,
    developer,
    `${durationText(Date.now() - Date.parse(updated_at))} ago`,
    id,
  ]);
  return ["", ...table(rows)];
}
