import { useState } from "react";
import { columnOf } from "../../../contract/board.ts";
import type { Lifecycle } from "../../../contract/lifecycle.ts";
import { type Movable, type Move, moveTask } from "../../data/moves.ts";
import { MoveDialog } from "../../parts/move-dialog.tsx";
import { MoveMenu } from "../../parts/move-menu.tsx";
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
