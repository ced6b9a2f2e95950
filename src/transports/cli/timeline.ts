import type { AnswerOf } from "../../tools/calls.ts";
import { cut } from "./table.ts";
import { cleanText, durationText } from "./text.ts";

type Mission = AnswerOf<"get_context">;
type LineOf<Section extends "phase_summary" | "tasks" | "milestones"> = NonNullable<Mission[Section]>[number];

type TimelinePhase = Pick<LineOf<"phase_summary">, "phase_number" | "name" | "status" | "started_at" | "completed_at">;
type TimelineMilestone = Pick<LineOf<"milestones">, "task_id" | "message" | "progress" | "created_at">;
export type TimelineTask = Pick<
  LineOf<"tasks">,
  "id" | "name" | "phase" | "status" | "agent_name" | "started_at" | "completed_at"
> & {
  readonly receipt: Pick<NonNullable<LineOf<"tasks">["receipt"]>, "level"> | null;
  readonly number?: number | undefined;
};

interface Timeline {
  readonly phases: readonly TimelinePhase[];
  readonly tasks: readonly TimelineTask[];
  readonly milestones: readonly TimelineMilestone[];
  readonly now: number;
  /** Columns of the screen. */
  readonly width?: number;
}

const marks: Readonly<Record<string, string>> = {
  COMPLETED: "[x]",
  SUCCESS: "[x]",
  PARTIAL_SUCCESS: "[~]",
  IN_PROGRESS: "[>]",
  FAILED: "[!]",
  PENDING: "[ ]",
};

const mostColumns = 40;
const fewestColumns = 10;
const longestName = 32;
/** Mark, gaps, ends of the bar and the span. */
const besides = 22;
const mostMilestones = 5;

/**
 * Phases and their tasks over one axis of time: where each began and ended, `=` while it ran, `>` where it still runs,
 * `*` where a milestone was reached.
 */
export function drawTimeline({ phases, tasks, milestones, now, width = Number.POSITIVE_INFINITY }: Timeline): string[] {
  const names = [...phases, ...tasks].map(({ name }) => cleanText(name).length);
  // The bar gives way first, then the names; what an agent is called comes last and is cut with the line.
  const mostName = Math.max(12, Math.min(longestName, width - besides - fewestColumns));
  const widest = Math.max(0, ...names.map((length) => Math.min(mostName, length)));
  const columns = Math.max(fewestColumns, Math.min(mostColumns, width - besides - widest));
  const axis = axisOf([...phases, ...tasks], { now, columns });
  const line = (indent: string, row: Row): string => {
    const name = cut(cleanText(row.name), mostName).padEnd(widest + 4 - indent.length);
    const bar = `|${barOf(axis, row)}|`;
    const head = [`${indent}${marks[row.status] ?? "[ ]"} ${name}`, bar, spanOf(row, now)].join("  ").trimEnd();
    // A note that does not fit is left out rather than cut to a letter.
    return row.notes.reduce(
      (drawn, note) => (drawn.length + note.length + 2 > width ? drawn : `${drawn}  ${note}`),
      head,
    );
  };
  const taskLines = (task: TimelineTask): string[] => {
    const reached = milestones.filter((milestone) => milestone.task_id === task.id);
    const moments = reached.map(({ created_at }) => Date.parse(created_at));
    const called = task.number === undefined ? "" : `#${task.number}`;
    const notes = [called, task.agent_name ?? "", task.receipt?.level ?? ""]
      .filter((word) => word !== "")
      .map(cleanText);
    return [
      line("  ", { ...task, moments, notes }),
      ...reached
        .slice(0, mostMilestones)
        .reverse()
        .map((one) => cut(milestoneLine(one), width)),
    ];
  };
  const tasksOf = (phase: number | null): string[] =>
    [...tasks].reverse().flatMap((task) => (task.phase === phase ? taskLines(task) : []));
  return [
    ...phases.flatMap((phase) => [
      line("", { ...phase, name: `${phase.phase_number} ${phase.name}`, moments: [], notes: [] }),
      ...tasksOf(phase.phase_number),
    ]),
    ...tasksOf(null),
  ];
}

interface Row {
  readonly name: string;
  readonly status: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly moments: readonly number[];
  readonly notes: readonly string[];
}

interface Axis {
  readonly columns: number;
  readonly from: number;
  readonly to: number;
}

function axisOf(
  spans: readonly Pick<Row, "started_at" | "completed_at">[],
  { now, columns }: { readonly now: number; readonly columns: number },
): Axis {
  const begins = spans.flatMap(({ started_at }) => (started_at === null ? [] : [Date.parse(started_at)]));
  const isRunning = spans.some(({ started_at, completed_at }) => started_at !== null && completed_at === null);
  const ends = spans.flatMap(({ completed_at }) => (completed_at === null ? [] : [Date.parse(completed_at)]));
  const from = Math.min(...begins, now);
  return { columns, from, to: Math.max(from + 1, ...ends, ...(isRunning ? [now] : [])) };
}

/** However short, what happened has a sign of its own. */
function barOf(axis: Axis, { started_at, completed_at, moments }: Row): string {
  const { columns } = axis;
  if (started_at === null) return " ".repeat(columns);
  const placeOf = (at: number): number =>
    Math.min(columns - 1, Math.max(0, Math.floor(((at - axis.from) / (axis.to - axis.from)) * columns)));
  const begin = placeOf(Date.parse(started_at));
  const end = placeOf(completed_at === null ? axis.to : Date.parse(completed_at));
  const signs: string[] = Array.from({ length: columns }, (_, at) => (at >= begin && at <= end ? "=" : " "));
  if (completed_at === null) signs[end] = ">";
  for (const moment of moments) signs[placeOf(moment)] = "*";
  return signs.join("");
}

function spanOf({ started_at, completed_at }: Row, now: number): string {
  if (started_at === null) return "";
  const end = completed_at === null ? now : Date.parse(completed_at);
  return durationText(Math.max(0, end - Date.parse(started_at))).padStart(6);
}

const milestoneLine = ({ message, progress }: TimelineMilestone): string =>
  `      * ${progress === null ? "" : `${progress}%  `}${cleanText(message)}`;
