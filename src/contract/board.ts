import type { Lifecycle } from "./lifecycle.ts";

/** The columns that tasks stand in, over every family's words, and the states of the lifecycle that each shows. */
export const boardColumns = {
  planned: ["planned"],
  active: ["preparing", "active", "paused"],
  blocked: ["planned", "blocked"],
  done: ["done"],
  failed: ["failed"],
  cancelled: ["cancelled"],
} as const satisfies Record<string, readonly Lifecycle[]>;

export type BoardColumn = keyof typeof boardColumns;

export const columnNames = Object.keys(boardColumns) as [BoardColumn, ...BoardColumn[]];

/** Where a task stands. What is planned and waits for others is blocked: nobody can begin it. */
export function columnOf(status: Lifecycle, isWaiting: boolean): BoardColumn {
  if (status === "planned") return isWaiting ? "blocked" : "planned";
  const shows = (column: BoardColumn): boolean => (boardColumns[column] as readonly Lifecycle[]).includes(status);
  return columnNames.find((column) => column !== "planned" && shows(column)) ?? "planned";
}

/** What a person sees side by side: what failed waits for somebody like what is blocked, what was given up is over. */
export const boardLanes = {
  planned: ["planned"],
  active: ["active"],
  blocked: ["blocked", "failed"],
  done: ["done", "cancelled"],
} as const satisfies Record<string, readonly BoardColumn[]>;

export type BoardLane = keyof typeof boardLanes;

export const laneNames = Object.keys(boardLanes) as BoardLane[];

/** Where a task of this column is shown; a column that a later server has is shown where work begins. */
export const laneOf = (column: string): BoardLane =>
  laneNames.find((lane) => (boardLanes[lane] as readonly string[]).includes(column)) ?? "planned";
