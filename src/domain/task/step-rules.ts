import { Refusal } from "../../contract/refusal.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import type { Task } from "./model.ts";

/** What may follow in the team's way of working: no stage of preparing, and blocked is said, not computed. */
const next: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  planned: ["active", "cancelled"],
  preparing: ["active", "blocked", "done", "cancelled"],
  active: ["blocked", "done", "cancelled"],
  paused: ["active", "blocked", "done", "cancelled"],
  blocked: ["active", "done", "cancelled"],
  failed: ["cancelled"],
  done: [],
  cancelled: [],
};

export function checkTeamStep(task: Task, to: Lifecycle): void {
  if (next[task.status].includes(to)) return;
  throw new Refusal("INVALID_TRANSITION", `A task cannot go from ${task.status} to ${to}.`, adviceFor(task.status), {
    from: task.status,
    to,
    allowed: next[task.status],
  });
}

function adviceFor(status: Lifecycle): string {
  if (isFinished(status)) return "It stays closed: call covibe_task check for new work.";
  if (status === "planned") return "Call covibe_task check with its title and planned_task_id, then start_planned.";
  if (status === "failed") return "Plan it anew with task_replan, or give it up with covibe_task cancel.";
  return "End it with covibe_task complete and a result_summary.";
}
