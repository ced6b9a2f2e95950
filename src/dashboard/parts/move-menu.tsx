import { type ReactNode, useSyncExternalStore } from "react";
import { type Movable, type Move, movesOf, watchMoves } from "../data/moves.ts";
import { Menu, type MenuItem } from "./menu.tsx";
import "./move-menu.css";

interface MoveMenuProps<T extends Movable> {
  readonly task: T;
  onMove(task: T, move: Move): void;
  /** What the button shows; three dots where there is little room. */
  readonly children?: ReactNode;
  /** What else can be done with it. */
  readonly more?: readonly MenuItem[];
}

/** The moves of a task without dragging. */
export function MoveMenu<T extends Movable>({ task, onMove, children, more = [] }: MoveMenuProps<T>) {
  const moves = useSyncExternalStore(watchMoves, () => movesOf(task));
  const items =
    moves.length > 0
      ? moves.map((move) => ({ label: move.label, letter: move.letter, choose: () => onMove(task, move) }))
      : [{ label: whyNone(task), disabledBecause: whyNone(task), choose: () => undefined }];
  return (
    <span className={children ? undefined : "move-dots"} data-moves={task.id}>
      <Menu label={`Move ${task.name}`} className={children ? "" : "plain"} items={[...items, ...more]}>
        {children ?? <span aria-hidden="true">⋯</span>}
      </Menu>
    </span>
  );
}

const whyNone = (task: Movable): string => (task.status === "planned" ? "Waiting for other tasks" : "No further steps");
