import { useState } from "react";
import { columnOf } from "../../../contract/board.ts";
import type { Lifecycle } from "../../../contract/lifecycle.ts";
import { type Movable, type Move, moveTask } from "../../data/moves.ts";
import { Link } from "../../parts/link.tsx";
import { MoveDialog } from "../../parts/move-dialog.tsx";
import { MoveMenu } from "../../parts/move-menu.tsx";
import { askAgent, askItems, isEnded, useTaskInstance } from "../../parts/task-agents.tsx";
import { attempt } from "../../parts/toast.tsx";
import type { TaskRecord } from "./task-model.ts";

/** The workflow family's words in those of the one lifecycle, which the board speaks. */
const lifecycle: Readonly<Record<TaskRecord["status"], Lifecycle>> = {
  pending: "planned",
  planning: "preparing",
  in_progress: "active",
  paused: "paused",
  completed: "done",
  failed: "failed",
  skipped: "cancelled",
  blocked: "planned",
};

/** What agents can be asked to do about it now. */
export function TaskAgents({ task, repository }: { task: TaskRecord; repository: string | null }) {
  const instance = useTaskInstance(task.id);
  const isOver = isEnded(lifecycle[task.status]);
  const items = askItems({ id: task.id, name: task.name, repository, isOver }, instance && [instance], askAgent);
  return (
    <>
      {instance && (
        <Link className="button" to={`/instances/${instance.id}`}>
          Show agent
        </Link>
      )}
      {items
        .filter(({ disabledBecause }) => disabledBecause === undefined)
        .map(({ label, choose }) => (
          <button key={label} type="button" onClick={choose}>
            {label.replace("…", "")}
          </button>
        ))}
    </>
  );
}

/** The same moves as on the board. */
export function TaskMoves({ task }: { task: TaskRecord }) {
  const [asked, setAsked] = useState<Move>();
  const status = lifecycle[task.status];
  const movable: Movable = {
    id: task.id,
    name: task.name,
    status,
    column: columnOf(status, task.status === "blocked"),
  };
  return (
    <>
      <MoveMenu
        task={movable}
        onMove={(_task, move) => (move.asks ? setAsked(move) : void attempt(() => moveTask(movable, move, "")))}
      >
        Move
      </MoveMenu>
      {asked && <MoveDialog task={movable} move={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
