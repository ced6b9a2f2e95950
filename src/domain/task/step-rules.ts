import { type NextStep, nextStep } from "../../contract/next-step.ts";
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
  throw new Refusal("INVALID_TRANSITION", `A task cannot go from ${task.status} to ${to}.`, adviceFor(task), {
    from: task.status,
    to,
    allowed: next[task.status],
  });
}

function adviceFor({ id, status }: Task): NextStep {
  if (isFinished(status)) return nextStep("checkNewWork");
  if (status === "planned") return nextStep("startPlannedTask", { task_id: id });
  if (status === "failed") return nextStep("replanOrCancel");
  return nextStep("completeWithResult");
}
