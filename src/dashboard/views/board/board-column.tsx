import { type DragEvent, useState } from "react";
import type { BoardLane } from "../../../contract/board.ts";
import { type Move, moveTo } from "../../data/moves.ts";
import type { BoardTask } from "../../data/task.ts";
import { StatusMark } from "../../parts/status-mark.tsx";
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
  planned: "Nothing waits to be taken.",
  active: "Nobody works on anything.",
  blocked: "Nothing is stuck.",
  done: "Nothing is done yet.",
};

/** One column; a task dropped on it makes the move that leads there, if there is one. */
export function BoardColumn(props: BoardColumnProps) {
  const { column, tasks, all, isUnfinished, current, costs, doubts, onMove, onNearEnd } = props;
  const [isOver, setOver] = useState(false);
  // Waiting for each other is what tasks do; only what failed or is held up deserves the colour.
  const isCalm = column === "blocked" && tasks.every((task) => task.status === "planned");

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const task = all.find((one) => one.id === event.dataTransfer.getData("text/x-task"));
    const move = task && moveTo(task, column);
    if (task && move) onMove(task, move);
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
          rowHeight={112}
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
              onMove={onMove}
            />
          )}
        </VirtualList>
      )}
    </section>
  );
}
