import { type NextStep, nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { isFinished, type Lifecycle } from "../lifecycle.ts";
import type { Workflow } from "./model.ts";

/** What may follow; only a planned workstream is cancelled, one that was started is completed. */
const next: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  planned: ["active", "cancelled"],
  preparing: ["active", "blocked", "done"],
  active: ["blocked", "done"],
  paused: ["active", "blocked", "done"],
  blocked: ["active", "done"],
  failed: ["active", "done"],
  done: [],
  cancelled: [],
};

export function checkWorkstreamStep(workstream: Workflow, to: Lifecycle): void {
  if (next[workstream.status].includes(to)) return;
  const allowed = next[workstream.status];
  throw new Refusal(
    "INVALID_TRANSITION",
    `A workstream cannot go from ${workstream.status} to ${to}.`,
    adviceFor(workstream.status),
    { from: workstream.status, to, allowed },
  );
}

function adviceFor(status: Lifecycle): NextStep {
  if (isFinished(status)) return nextStep("planNewWorkstream");
  if (status === "planned") return nextStep("startPlannedWorkstream");
  return nextStep("completeWorkstream");
}

/** Tasks join a workstream that is under way or blocked, never one that is only planned or closed. */
export function checkWorkstreamTakesTasks(workstream: Workflow): void {
  if (workstream.status !== "planned" && !isFinished(workstream.status)) return;
  throw new Refusal(
    "INVALID_STATE",
    `Workstream ${workstream.id} is ${workstream.status} and takes no tasks.`,
    workstream.status === "planned"
      ? nextStep("startWorkstreamFirst")
      : "Leave workstream_id out, or name one that is active or blocked.",
  );
}
