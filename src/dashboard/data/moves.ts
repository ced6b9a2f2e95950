import { type BoardLane, laneOf } from "../../contract/board.ts";
import type { InputOf } from "../../tools/calls.ts";
import { callTool } from "./api.ts";
import type { BoardTask } from "./task.ts";

type Step = InputOf<"task_update_status">["status"];

export interface Move {
  readonly label: string;
  readonly letter: string;
  readonly to: BoardLane;
  /** The status it leads to, and those it goes through. */
  readonly leadsTo: BoardTask["status"];
  readonly through?: readonly BoardTask["status"][];
  /** The words of the tool that changes a status, one call each. */
  readonly steps: readonly Step[];
  /** What the server wants to know with it. */
  readonly asks?: "outcome" | "error";
}

const work = { to: "active", leadsTo: "active", letter: "s" } as const;
const start: Move = { ...work, label: "Start", through: ["preparing"], steps: ["planning", "in_progress"] };
const begin: Move = { ...work, label: "Start work", steps: ["in_progress"] };
const resume: Move = { ...work, label: "Resume", steps: ["in_progress"] };
const pause: Move = { label: "Pause", letter: "p", to: "active", leadsTo: "paused", steps: ["paused"] };
const finish: Move = {
  label: "Done…",
  letter: "d",
  to: "done",
  leadsTo: "done",
  steps: ["completed"],
  asks: "outcome",
};
const fail: Move = {
  label: "Failed…",
  letter: "f",
  to: "blocked",
  leadsTo: "failed",
  steps: ["failed"],
  asks: "error",
};
const planAgain: Move = { label: "Retry", letter: "a", to: "planned", leadsTo: "planned", steps: ["pending"] };
const giveUp: Move = { label: "Cancel", letter: "x", to: "done", leadsTo: "cancelled", steps: ["skipped"] };

const moves: Readonly<Partial<Record<BoardTask["status"], readonly Move[]>>> = {
  planned: [start],
  preparing: [begin],
  active: [finish, pause, fail],
  paused: [resume],
  blocked: [resume],
  failed: [planAgain, giveUp],
};

const none: readonly Move[] = [];

/** What is needed of a task to move it. */
export type Movable = Pick<BoardTask, "id" | "name" | "status" | "column">;

/** A move that the server has not taken yet, or has taken so lately that its event may still be on the way. */
interface Going {
  readonly move: Move;
  readonly settled: Promise<unknown>;
  isTaken: boolean;
  /** What the task was before and in between: what still shows one of these has not heard of the move. */
  readonly passed: readonly string[];
}

/** The last move of each task. */
const going = new Map<string, Going>();
const eventTakesMs = 2_000;
const watchers = new Set<() => void>();

export function watchMoves(listener: () => void): () => void {
  watchers.add(listener);
  return () => watchers.delete(listener);
}

/**
 * What a person may want to do with a task; whether it is allowed is the server's to say. What follows is what follows
 * a move that is under way: the status between its steps is nobody's to act on.
 */
export function movesOf(task: Movable): readonly Move[] {
  const before = lastMoveOf(task);
  if (before) return moves[before.leadsTo] ?? none;
  return task.status === "planned" && laneOf(task.column) === "blocked" ? none : (moves[task.status] ?? none);
}

export function moveTo(task: Movable, lane: BoardLane): Move | undefined {
  const from = lastMoveOf(task)?.to ?? laneOf(task.column);
  return lane === from ? undefined : movesOf(task).find((move) => move.to === lane);
}

function lastMoveOf(task: Movable): Move | undefined {
  const last = going.get(task.id);
  return last && (!last.isTaken || last.passed.includes(task.status)) ? last.move : undefined;
}

/** Moves of one task go one after the other. */
export async function moveTask(task: Movable, move: Move, words: string): Promise<void> {
  const said = move.asks ? { [move.asks]: words } : {};
  const before = going.get(task.id);
  const made = makeSteps(before?.settled, move.steps, (status) =>
    callTool("task_update_status", { id: task.id, status, ...said }),
  );
  const mine: Going = {
    move,
    settled: made.catch(() => undefined),
    isTaken: false,
    passed: [...(before ? [...before.passed, before.move.leadsTo] : []), task.status, ...(move.through ?? [])],
  };
  going.set(task.id, mine);
  tellWatchers();
  const forget = (): void => {
    if (going.get(task.id) === mine) going.delete(task.id);
    tellWatchers();
  };
  try {
    await made;
    mine.isTaken = true;
    setTimeout(forget, eventTakesMs);
  } catch (error) {
    forget();
    throw error;
  }
}

function tellWatchers(): void {
  for (const listener of watchers) listener();
}

async function makeSteps(
  before: Promise<unknown> | undefined,
  steps: readonly Step[],
  make: (status: Step) => Promise<unknown>,
): Promise<void> {
  await before;
  for (const status of steps) await make(status);
}
