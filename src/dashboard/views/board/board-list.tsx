import type { BoardLane } from "../../../contract/board.ts";
import type { Move } from "../../data/moves.ts";
import type { BoardTask } from "../../data/task.ts";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TaskMenu } from "../../parts/task-menu.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { TrustMark } from "../../parts/trust-mark.tsx";
import { useNarrow } from "../../parts/use-narrow.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { sayHolder, sayPlace, statusOf } from "./board-model.ts";

interface BoardListProps {
  readonly sorted: Readonly<Record<BoardLane, readonly BoardTask[]>>;
  readonly current: string | undefined;
  onMove(task: BoardTask, move: Move): void;
}

/** What needs somebody first. */
const order: readonly BoardLane[] = ["blocked", "active", "planned", "done"];

/** The board's twin: the same tasks, one row each. */
export function BoardList({ sorted, current, onMove }: BoardListProps) {
  const isNarrow = useNarrow();
  const tasks = order.flatMap((column) => sorted[column]);
  return (
    <VirtualList
      label="Tasks"
      className="board-list"
      items={tasks}
      rowHeight={isNarrow ? 60 : 44}
      keyOf={(task) => task.id}
    >
      {(task) => (
        <div className="row board-row" data-current={task.id === current}>
          <StatusMark status={statusOf(task)} />
          <span className="cut board-row-title">
            <WorkLink to={`/tasks/${task.id}`} name={task.name} />
          </span>
          <span className="muted small cut board-row-where">{sayPlace(task)}</span>
          <span className="small cut board-row-who">
            {task.holder ? (
              <>
                {task.holder} <span className="muted">{sayHolder(task)}</span>
              </>
            ) : (
              <span className="muted">owner {task.developer}</span>
            )}
          </span>
          <span className="small cut board-row-trust">
            <TrustMark result={task.result} isBrief />
          </span>
          <span className="muted small board-row-age">
            <TimeAgo at={task.updated_at} />
          </span>
          <TaskMenu task={task} onMove={onMove} />
        </div>
      )}
    </VirtualList>
  );
}
