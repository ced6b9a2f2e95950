import { laneOf } from "../../../contract/board.ts";
import type { Move } from "../../data/moves.ts";
import type { BoardTask } from "../../data/task.ts";
import { Link } from "../../parts/link.tsx";
import { sayMoney } from "../../parts/say-amount.ts";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TaskMenu } from "../../parts/task-menu.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { TrustMark } from "../../parts/trust-mark.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { sayHolder, sayPlace, statusOf } from "./board-model.ts";

interface BoardCardProps {
  readonly task: BoardTask;
  readonly isCurrent: boolean;
  /** What its tokens cost so far, in dollars. */
  readonly cost: number | undefined;
  /** Where it is held against work that it is like, if there is any. */
  readonly doubt: string | undefined;
  /** Where what it collides with is shown, if it does. */
  readonly collision: string | undefined;
  onMove(task: BoardTask, move: Move): void;
}

/** One task: what, where, who, how long ago. */
export function BoardCard({ task, isCurrent, cost, doubt, collision, onMove }: BoardCardProps) {
  const isUsual = task.status === laneOf(task.column);
  return (
    <article
      className="board-card"
      data-current={isCurrent}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData("text/x-task", task.id);
        event.dataTransfer.effectAllowed = "move";
      }}
    >
      <h3>
        <WorkLink to={`/tasks/${task.id}`} name={task.name} draggable={false} />
      </h3>
      <TaskMenu task={task} onMove={onMove} />
      <p className="muted small cut">{sayPlace(task) || "—"}</p>
      <p className="board-proof small">
        {doubt !== undefined && (
          <Link to={doubt} className="chip" data-tone="attention" draggable={false}>
            possible duplicate<span className="only-spoken">: {task.name}</span>
          </Link>
        )}
        {collision !== undefined && (
          <Link to={collision} className="chip" data-tone="attention" draggable={false}>
            conflict<span className="only-spoken">: {task.name}</span>
          </Link>
        )}
        <TrustMark result={task.result} isBrief />
      </p>
      <p className="board-who small">
        {!isUsual && <StatusMark status={statusOf(task)} />}
        {task.holder ? (
          <Holder task={task} />
        ) : (
          // Whose a new task is, its event does not say; the read that follows does.
          task.developer !== "" && <span className="muted cut">owner {task.developer}</span>
        )}
        <span className="muted board-age">
          {cost !== undefined && <span className="number">{sayMoney(cost)} · </span>}
          <TimeAgo at={task.updated_at} />
        </span>
      </p>
    </article>
  );
}

function Holder({ task }: { task: BoardTask }) {
  return (
    <span className="board-holder cut" title={[task.holder, sayHolder(task), task.branch].filter(Boolean).join(" · ")}>
      {laneOf(task.column) !== "done" && <StatusMark status={task.holder_status ?? "offline"} label="spoken" />}
      <span className="cut">{task.holder}</span>
      <span className="muted cut">{sayHolder(task)}</span>
      {task.branch && <code className="muted cut">{task.branch}</code>}
    </span>
  );
}
