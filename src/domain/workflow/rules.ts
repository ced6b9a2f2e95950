import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Workflow } from "./model.ts";

/** `blocked` is a workflow whose work is done and waits to be merged. */
const next: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  planned: ["preparing", "cancelled"],
  preparing: ["active", "cancelled"],
  active: ["paused", "done", "failed", "cancelled", "blocked"],
  paused: ["active", "cancelled"],
  blocked: ["done", "cancelled"],
  failed: ["active"],
  done: [],
  cancelled: [],
};

/** Nothing moves a workflow by itself: whoever owns it does. */
export function checkWorkflowStep(workflow: Workflow, to: Lifecycle, say: (status: Lifecycle) => string): void {
  if (next[workflow.status].includes(to)) return;
  const legal = next[workflow.status].map(say);
  throw new Refusal(
    "INVALID_TRANSITION",
    `A workflow cannot go from ${say(workflow.status)} to ${say(to)}.`,
    legal.length > 0 ? `From here it can become: ${legal.join(", ")}.` : "Nothing follows this status.",
    { from: say(workflow.status), to: say(to), allowed: legal },
  );
}

/** A workflow is steered by the developer who made it; others take part by claiming its tasks. */
export function checkWorkflowOwner(workflow: Workflow, caller: Caller): void {
  if (workflow.developerId === caller.developerId) return;
  throw new Refusal(
    "FORBIDDEN",
    `Workflow ${workflow.id} belongs to another developer.`,
    "Claim one of its tasks instead.",
  );
}

/** Its tasks may be handed out. */
export const isUnderWay = (workflow: Workflow): boolean =>
  workflow.status === "preparing" || workflow.status === "active";
