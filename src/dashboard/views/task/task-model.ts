import type { AnswerOf } from "../../../tools/calls.ts";
import { read } from "../../data/api.ts";
import { type LiveEvent, textIn } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import type { BoardTask } from "../../data/task.ts";
import { toldOnce } from "../../data/told-once.ts";

/** A task in the words of the workflow family. */
export type TaskRecord = AnswerOf<"task_get">;
export type Checkpoint = NonNullable<TaskRecord["checkpoints"]>[number];

export interface TaskStory {
  readonly task: TaskRecord;
  /** The same task as the board shows it: who holds it, and what its result rests on. */
  readonly line: BoardTask | undefined;
  /** What the ledger says about it, newest first. */
  readonly events: readonly LiveEvent[];
}

const readings = new Map<string, Reading<TaskStory>>();

/** One reading for each task, so that a view that is drawn again does not read again. */
export function taskReading(id: string): Reading<TaskStory> {
  const known = readings.get(id);
  if (known) return known;
  const made: Reading<TaskStory> = {
    key: `task:${id}`,
    async load(signal) {
      const [task, { tasks }, { events }] = await Promise.all([
        read("/api/tasks/:id", { id }, signal),
        read("/api/tasks", { id }, signal),
        read("/api/events", { subject: id, newest: true, limit: 500 }, signal),
      ]);
      learnName(task.id, task.name);
      return { task, line: tasks[0], events };
    },
    applyEvent: (story, event) => (isAbout(event, id) ? readAgain : story),
  };
  readings.set(id, made);
  return made;
}

/** What is said of a task itself or noted on it. */
export const isAbout = (event: LiveEvent, id: string): boolean =>
  event.subject === id || (event.kind.startsWith("note.") && textIn(event.data, "task_id") === id);

type Moment =
  | { readonly kind: "event"; readonly at: string; readonly event: LiveEvent }
  | { readonly kind: "note"; readonly at: string; readonly note: Checkpoint };

/** The ledger and the notes of a task on one line of time, newest first. */
export function timelineOf({ task, events }: TaskStory): Moment[] {
  const moments: Moment[] = [
    ...toldOnce(events).map((event) => ({ kind: "event", at: event.ts, event }) as const),
    ...(task.checkpoints ?? []).map((note) => ({ kind: "note", at: note.created_at, note }) as const),
  ];
  return moments.sort((one, other) => other.at.localeCompare(one.at));
}
