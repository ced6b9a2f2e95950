import type { ReadAt } from "../../../tools/calls.ts";
import type { Api } from "../api.ts";
import { holderOf, nameRecords } from "../names.ts";
import type { Screen } from "../screen.ts";
import { table } from "../table.ts";
import { agoText, amountText, count } from "../text.ts";

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

/** The server counts no further. */
const mostCounted = 1_000;
const atMost = (amount: number): string => `${amountText(amount)}${amount >= mostCounted ? "+" : ""}`;

export const teamRows = (team: Team): string[][] => [
  [
    "Work",
    `${atMost(team.under_way)} active, ${atMost(team.planned)} planned, ${atMost(team.completed)} completed in 14 days`,
  ],
  ["Sessions", `${team.sessions} active, ${team.stale_sessions} stale (no signal for 30 min)`],
  ...(team.overlap_warnings === 0 ? [] : [["Overlap", `${count(team.overlap_warnings, "open warning")}`]]),
  ["Inbox", team.inbox === 0 ? "nothing needs you" : `${count(team.inbox, "item")} for you: crewdeck inbox`],
];

/** Active tasks with who works on them, last changed first. */
export async function workLines(api: Api, screen: Screen): Promise<string[]> {
  const { tasks } = await api.call("task_list", { column: "active", limit: mostWork });
  if (tasks.length === 0) return [];
  const nameOf = await nameRecords(
    api,
    tasks.map(({ claimed_by }) => claimed_by),
  );
  const rows = tasks.map((task) => [
    task.name,
    holderOf(task, nameOf),
    { text: agoText(task.updated_at), style: "dim" as const },
    { text: `#${task.number}`, style: "dim" as const },
  ]);
  return ["", ...table(rows, { screen, flexible: [1, 0], optional: [2] })];
}
