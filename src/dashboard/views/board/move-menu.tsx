import type { BoardTask } from "../../data/task.ts";
import { Menu } from "../../parts/menu.tsx";
import { type Move, movesOf } from "./board-model.ts";

interface MoveMenuProps {
  readonly task: BoardTask;
  onMove(task: BoardTask, move: Move): void;
}

/** The moves of a task without dragging. */
export function MoveMenu({ task, onMove }: MoveMenuProps) {
  const moves = movesOf(task);
  const items =
    moves.length > 0
      ? moves.map((move) => ({ label: move.label, letter: move.letter, choose: () => onMove(task, move) }))
      : [{ label: whyNone(task), disabledBecause: whyNone(task), choose: () => undefined }];
  return (
    <span className="board-menu" data-moves={task.id}>
      <Menu label={`Move ${task.name}`} className="plain" items={items}>
        <span aria-hidden="true">⋯</span>
      </Menu>
    </span>
  );
}

const whyNone = (task: BoardTask): string =>
  task.status === "planned" ? "It waits for other tasks" : "Nothing follows this";
