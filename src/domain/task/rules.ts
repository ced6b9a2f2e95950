import type { Caller } from "../../contract/caller.ts";
import { checkFits } from "../../contract/free-form.ts";
import type { AgentId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { isFinished, isInHand, type Lifecycle } from "../lifecycle.ts";
import { isWaiting, type Task } from "./model.ts";

const next: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  planned: ["preparing"],
  preparing: ["active", "done"],
  active: ["done", "paused", "failed"],
  paused: ["active"],
  failed: ["planned", "cancelled"],
  blocked: ["active"],
  done: [],
  cancelled: [],
};

export interface StatusAsk {
  readonly to: Lifecycle;
  readonly outcome?: string | undefined;
  readonly outcomeDetail?: Record<string, unknown> | undefined;
  readonly error?: string | undefined;
  /** The family's words for the lifecycle; messages speak them. */
  readonly say: (status: Lifecycle) => string;
}

/** What a change of status writes; a time of end where it is one. */
export type Step = Partial<Task> & Pick<Task, "status">;

/** What a detail may weigh; what a task made belongs in the repository. */
const largestOutcomeDetail = 64 * 1024;
export const largestContext = 256 * 1024;

/**
 * What a change of status writes. Pure: the caller loads the task, and the names of what it waits for if it does, and
 * saves the outcome.
 */
export function decideStatus(
  task: Task,
  ask: StatusAsk,
  { now, blockedBy }: { now: number; blockedBy: readonly string[] },
): Step {
  checkTaskStep(task, ask, blockedBy);
  if (ask.outcomeDetail !== undefined) checkFits("outcome detail", ask.outcomeDetail, largestOutcomeDetail);
  if (ask.to === "done" && !ask.outcome) {
    throw new Refusal("MISSING_OUTCOME", "A completed task needs an outcome.", "Call again with outcome.");
  }
  if (ask.to === "failed" && !ask.error) {
    throw new Refusal("MISSING_ERROR", "A failed task says what went wrong.", "Call again with error.");
  }
  const ends = isFinished(ask.to) || ask.to === "failed";
  return {
    status: ask.to,
    updatedAt: now,
    ...(ask.to === "active" && task.startedAt === null ? { startedAt: now } : {}),
    ...(ends ? { endedAt: now } : { endedAt: null }),
    // A failed task is free for the next one to try; a finished one keeps the name of who did it.
    ...(ask.to === "failed" ? { takenBy: null } : {}),
    ...(ask.to === "planned" ? { outcome: null, outcomeDetail: null, error: null } : {}),
    ...(ask.outcome === undefined ? {} : { outcome: ask.outcome }),
    ...(ask.outcomeDetail === undefined ? {} : { outcomeDetail: ask.outcomeDetail }),
    ...(ask.error === undefined ? {} : { error: ask.error }),
  };
}

function checkTaskStep(task: Task, { to, say }: StatusAsk, blockedBy: readonly string[]): void {
  if (isWaiting(task) && to === "preparing") throw blockedRefusal(task, blockedBy);
  if (next[task.status].includes(to)) return;
  throw stepRefusal(task, to, say);
}

/** Says what is legal instead: from a task that waits for others, nothing yet. */
export function stepRefusal(task: Task, to: Lifecycle, say: (status: Lifecycle) => string): Refusal {
  const from = say(isWaiting(task) ? "blocked" : task.status);
  const allowed = isWaiting(task) ? [] : next[task.status].map(say);
  const hint = isWaiting(task)
    ? nextStep("seeDependencies")
    : allowed.length > 0
      ? `From here it can become: ${allowed.join(", ")}.`
      : "Nothing follows this status.";
  return new Refusal("INVALID_TRANSITION", `A task cannot go from ${from} to ${say(to)}.`, hint, {
    from,
    to: say(to),
    allowed,
  });
}

const mostNamed = 20;

const blockedRefusal = ({ waitingOn }: Task, names: readonly string[]): Refusal =>
  new Refusal(
    "TASK_BLOCKED",
    `${waitingOn} ${waitingOn === 1 ? "task it depends on is" : "tasks it depends on are"} not finished.`,
    nextStep("finishBlockers"),
    { blocked_by: names.slice(0, mostNamed) },
  );

/**
 * Who may write to a task: the developer whose agent holds it, or the one whose workflow it is while nobody does; both
 * once it is finished. With a fence, only the claim it was given out with: a former holder's late write is refused.
 */
export function checkTaskRight(
  task: Task,
  ask: { caller: Caller; holder: { developerId: string } | undefined; fence: number | undefined },
): void {
  if (ask.fence !== undefined && ask.fence !== task.fence) {
    throw new Refusal(
      "NOT_CLAIMED",
      `Task ${task.id} is no longer held by the claim you made.`,
      nextStep("stopAndTakeAnother"),
      { fence: task.fence },
    );
  }
  const { holder } = ask;
  const mayWrite = holder === undefined ? [task.developerId] : [holder.developerId];
  if (isFinished(task.status)) mayWrite.push(task.developerId);
  if (mayWrite.includes(ask.caller.developerId)) return;
  throw new Refusal("FORBIDDEN", `Task ${task.id} is in another developer's hands.`, nextStep("askOrClaimFree"));
}

export type TakeDecision =
  | { readonly kind: "granted"; readonly fence: number }
  | { readonly kind: "already-yours"; readonly fence: number }
  | { readonly kind: "held"; readonly by: AgentId };

/** Who gets the task. */
export function decideTake(task: Task, agentId: AgentId, say: (status: Lifecycle) => string): TakeDecision {
  if (isFinished(task.status)) {
    throw new Refusal("INVALID_STATE", `Task ${task.id} is ${say(task.status)}.`, nextStep("takeAnother"));
  }
  if (task.takenBy === agentId) return { kind: "already-yours", fence: task.fence };
  if (task.takenBy !== null) return { kind: "held", by: task.takenBy };
  return { kind: "granted", fence: task.fence + 1 };
}

/**
 * What giving a task back writes: work in hand returns to the queue, what has failed stays as it is (TK20). The fence
 * grows, so that what its holder sends from now on is refused although nobody else has the task yet.
 */
export const decideRelease = (task: Task, now: number): Partial<Task> => ({
  takenBy: null,
  fence: task.fence + 1,
  updatedAt: now,
  ...(isInHand(task.status) || task.status === "paused" ? { status: "planned" as const, startedAt: null } : {}),
});

/** Whether an agent can do a task (TK26). */
export const fits = (task: Pick<Task, "capabilities">, capabilities: readonly string[]): boolean =>
  task.capabilities.every((needed) => capabilities.includes(needed));

/** A plan may be made anew while the work is under way or has failed; everything it led to is void. */
export function decideReplan(task: Task, now: number, say: (status: Lifecycle) => string): Partial<Task> {
  if (task.status !== "failed" && task.status !== "active") {
    throw new Refusal(
      "INVALID_TRANSITION",
      `A task that is ${say(task.status)} cannot be replanned.`,
      nextStep("setPlan", { failed: say("failed"), active: say("active") }),
      { from: say(task.status), to: say("planned"), allowed: [] },
    );
  }
  return {
    status: "planned",
    outcome: null,
    outcomeDetail: null,
    error: null,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
  };
}
