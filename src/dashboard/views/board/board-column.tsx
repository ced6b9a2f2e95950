import { type DragEvent, useState } from "react";
import { type BoardLane, laneOf } from "../../../contract/board.ts";
import { type Move, movesOf, moveTo } from "../../data/moves.ts";
import type { BoardTask } from "../../data/task.ts";
import { StatusMark } from "../../parts/status-mark.tsx";
import { say } from "../../parts/toast.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { BoardCard } from "./board-card.tsx";

interface BoardColumnProps {
  readonly column: BoardLane;
  readonly tasks: readonly BoardTask[];
  readonly all: readonly BoardTask[];
  readonly isUnfinished: boolean;
  readonly current: number | undefined;
  readonly costs: ReadonlyMap<string, number>;
  /** Where a task that may be done twice is held against what it is like. */
  readonly doubts: ReadonlyMap<string, string>;
  /** Where each task that collides with other work is shown beside it. */
  readonly collisions: ReadonlyMap<string, string>;
  onMove(task: BoardTask, move: Move): void;
  onNearEnd(): void;
}

const titles: Readonly<Record<BoardLane, string>> = {
  planned: "Planned",
  active: "Active",
  blocked: "Blocked",
  done: "Done",
};

const nothing: Readonly<Record<BoardLane, string>> = {
  planned: "No planned tasks.",
  active: "No active tasks.",
  blocked: "No blocked tasks.",
  done: "No completed tasks yet.",
};

/** One column; a task dropped on it makes the move that leads there, if there is one. */
export function BoardColumn(props: BoardColumnProps) {
  const { column, tasks, all, isUnfinished, current, costs, doubts, collisions, onMove, onNearEnd } = props;
  const [isOver, setOver] = useState(false);
  // Waiting for each other is what tasks do; only what failed or is held up deserves the colour.
  const isCalm = column === "blocked" && tasks.every((task) => task.status === "planned");

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const task = all.find((one) => one.id === event.dataTransfer.getData("text/x-task"));
    const move = task && moveTo(task, column);
    if (!task || laneOf(task.column) === column) return;
    if (move) onMove(task, move);
    else refuse(task, column);
  }

  return (
    <section
      className="board-column"
      aria-label={titles[column]}
      data-over={isOver}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("text/x-task")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2>
        <StatusMark status={isCalm ? "waits" : column} label="spoken" />
        <span aria-hidden="true">{titles[column]}</span>
        <span className="muted number small">
          {tasks.length}
          {isUnfinished && "+"}
        </span>
      </h2>
      {tasks.length === 0 ? (
        <p className="muted small board-nothing">{nothing[column]}</p>
      ) : (
        <VirtualList
          label={`${titles[column]} tasks`}
          className="board-cards"
          items={tasks}
          rowHeight={134}
          keyOf={(task) => task.id}
          onNearEnd={onNearEnd}
          {...(current === undefined ? {} : { current })}
        >
          {(task, place) => (
            <BoardCard
              task={task}
              isCurrent={place === current}
              cost={costs.get(task.id)}
              doubt={doubts.get(task.id)}
              collision={collisions.get(task.id)}
              onMove={onMove}
            />
          )}
        </VirtualList>
      )}
    </section>
  );
}

/** A drop that leads nowhere says why, and what would. */
function refuse(task: BoardTask, lane: BoardLane): void {
  const isWaiting = task.status === "planned" && laneOf(task.column) === "blocked";
  const reason = isWaiting
    ? "It waits for other tasks to finish."
    : `A ${task.status} task can’t become ${titles[lane].toLowerCase()}.`;
  const next = movesOf(task).map(({ label }) => label.replace("…", ""));
  const hint = next.length > 0 ? `Available: ${next.join(", ")}.` : isWaiting ? "Finish what it depends on first." : "";
  say(`“${task.name}” wasn’t moved. ${reason}`, { hint, isBad: true });
}
