import { instancesReading } from "../data/instances.ts";
import type { Move } from "../data/moves.ts";
import type { BoardTask } from "../data/task.ts";
import { useReading } from "../data/use-reading.ts";
import { MoveMenu } from "./move-menu.tsx";
import { askAgent, askItems, isEnded } from "./task-agents.tsx";

/** The moves of a task on the board, and what agents can be asked to do about it. */
export function TaskMenu({ task, onMove }: { task: BoardTask; onMove(task: BoardTask, move: Move): void }) {
  const { value } = useReading(instancesReading);
  const { id, name, repository } = task;
  const more = askItems({ id, name, repository, isOver: isEnded(task.status) }, value, askAgent);
  return <MoveMenu task={task} onMove={onMove} more={more} />;
}
