/** The simplest thing that behaves like the work of two developers: lists of workflows, tasks and agents, and the rules. */

export type Developer = 0 | 1;

export interface ModelAgent {
  id: string;
  readonly developer: Developer;
  readonly capabilities: readonly string[];
  isLive: boolean;
  current: string | null;
  lastBeat: number;
}

export interface ModelNote {
  readonly sequence: number;
  readonly type: string;
  readonly summary: string;
  superseded: boolean;
}

export interface ModelTask {
  readonly id: string;
  readonly name: string;
  readonly workflow: ModelWorkflow;
  readonly sequence: number;
  readonly group: string | null;
  readonly capabilities: readonly string[];
  readonly dependsOn: readonly string[];
  readonly notes: ModelNote[];
  status: string;
  plan: object | null;
  outcome: string | null;
  error: string | null;
  holder: ModelAgent | null;
  fence: number;
  startedAt: number | null;
  endedAt: number | null;
  readonly createdAt: number;
  updatedAt: number;
}

export interface ModelWorkflow {
  readonly id: string;
  readonly developer: Developer;
  readonly maxParallel: number;
  status: string;
}

/** A refusal's code, where a call has none of the answers below. */
export type Code = string;

const steps: Readonly<Record<string, readonly string[]>> = {
  pending: ["planning"],
  planning: ["in_progress", "completed"],
  in_progress: ["completed", "paused", "failed"],
  paused: ["in_progress"],
  failed: ["pending", "skipped"],
};

export const stepsOf = (status: string): readonly string[] => steps[status] ?? [];

const workflowSteps: Readonly<Record<string, readonly string[]>> = {
  ready: ["in_progress", "abandoned"],
  in_progress: ["paused", "completed", "failed", "abandoned", "awaiting_merge"],
  paused: ["in_progress", "abandoned"],
  awaiting_merge: ["completed", "abandoned"],
  failed: ["in_progress"],
};

export const isFinished = (task: ModelTask): boolean => task.status === "completed" || task.status === "skipped";
const isUnderWay = ({ status }: ModelWorkflow): boolean => status === "ready" || status === "in_progress";

export interface Write {
  readonly by: Developer;
  readonly fence: number | undefined;
}

export class WorkModel {
  readonly workflows: ModelWorkflow[] = [];
  readonly tasks: ModelTask[] = [];
  readonly agents: ModelAgent[] = [];
  now = 0;

  blockers(task: ModelTask): ModelTask[] {
    return this.inOrder((other) => task.dependsOn.includes(other.id) && !isFinished(other));
  }

  statusOf(task: ModelTask): string {
    return task.status === "pending" && this.blockers(task).length > 0 ? "blocked" : task.status;
  }

  inOrder(fits: (task: ModelTask) => boolean): ModelTask[] {
    return this.tasks
      .filter(fits)
      .sort(
        (one, other) => one.sequence - other.sequence || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0),
      );
  }

  #right(task: ModelTask, { by, fence }: Write): Code | undefined {
    if (fence !== undefined && fence !== task.fence) return "NOT_CLAIMED";
    const allowed: Developer[] = [task.holder === null ? task.workflow.developer : task.holder.developer];
    if (isFinished(task)) allowed.push(task.workflow.developer);
    return allowed.includes(by) ? undefined : "FORBIDDEN";
  }

  #free(agent: ModelAgent | null, task: ModelTask): void {
    if (agent?.current === task.id) agent.current = null;
  }

  claim(task: ModelTask, agent: ModelAgent, by: Developer): object | Code {
    if (agent.developer !== by) return "FORBIDDEN";
    if (!agent.isLive || isFinished(task)) return "INVALID_STATE";
    if (task.holder !== null && task.holder !== agent) return { success: false, already_claimed_by: task.holder.id };
    if (task.holder === null) {
      task.holder = agent;
      task.fence += 1;
      task.updatedAt = this.now;
      agent.current = task.id;
    }
    return { success: true, fence: task.fence };
  }

  release(task: ModelTask, agent: ModelAgent, by: Developer): object | Code {
    if (agent.developer !== by) return "FORBIDDEN";
    if (task.holder !== agent || isFinished(task)) return "NOT_CLAIMED";
    this.#return(task);
    this.#free(agent, task);
    return { success: true };
  }

  #return(task: ModelTask): void {
    task.holder = null;
    task.fence += 1;
    task.updatedAt = this.now;
    if (!["planning", "in_progress", "paused"].includes(task.status)) return;
    task.status = "pending";
    task.startedAt = null;
  }

  setStatus(task: ModelTask, to: string, write: Write, words: { outcome?: string; error?: string }): object | Code {
    if (to === "blocked") return "INVALID_TRANSITION";
    const refused = this.#right(task, write);
    if (refused !== undefined) return refused;
    if (this.statusOf(task) === "blocked" && to === "planning") return "TASK_BLOCKED";
    if (!stepsOf(task.status).includes(to)) return "INVALID_TRANSITION";
    if (to === "completed" && words.outcome === undefined) return "MISSING_OUTCOME";
    if (to === "failed" && words.error === undefined) return "MISSING_ERROR";
    const { holder } = task;
    task.status = to;
    task.updatedAt = this.now;
    if (to === "in_progress") task.startedAt ??= this.now;
    const ends = isFinished(task) || to === "failed";
    task.endedAt = ends ? this.now : null;
    if (to === "failed") task.holder = null;
    if (to === "pending") [task.outcome, task.error] = [null, null];
    task.outcome = words.outcome ?? task.outcome;
    task.error = words.error ?? task.error;
    if (ends) this.#free(holder, task);
    return { success: true };
  }

  setPlan(task: ModelTask, plan: object, write: Write): object | Code {
    const refused = this.#right(task, write);
    if (refused !== undefined) return refused;
    if (isFinished(task)) return "INVALID_STATE";
    task.plan = plan;
    task.updatedAt = this.now;
    return { success: true };
  }

  replan(task: ModelTask, plan: object, write: Write): object | Code {
    const refused = this.#right(task, write);
    if (refused !== undefined) return refused;
    if (task.status !== "failed" && task.status !== "in_progress") return "INVALID_TRANSITION";
    Object.assign(task, { status: "pending", plan, outcome: null, error: null, startedAt: null, endedAt: null });
    task.updatedAt = this.now;
    for (const note of task.notes) note.superseded = true;
    const sequence = task.notes.length + 1;
    task.notes.push({ sequence, type: "replan", summary: `Reason ${sequence}.`, superseded: false });
    return { success: true };
  }

  note(task: ModelTask, type: string, write: Write): { sequence: number } | Code {
    const refused = this.#right(task, write);
    if (refused !== undefined) return refused;
    const sequence = task.notes.length + 1;
    task.notes.push({ sequence, type, summary: `Note ${sequence}.`, superseded: false });
    return { sequence };
  }

  leave(agent: ModelAgent): number {
    const held = this.tasks.filter((task) => task.holder === agent && !isFinished(task));
    for (const task of held) this.#return(task);
    agent.isLive = false;
    agent.current = null;
    return held.length;
  }

  sweep(): void {
    for (const agent of this.agents) if (agent.isLive && agent.lastBeat < this.now - 60_000) this.leave(agent);
  }

  setWorkflowStatus(workflow: ModelWorkflow, to: string, by: Developer): object | Code {
    if (workflow.developer !== by) return "FORBIDDEN";
    if (!workflowSteps[workflow.status]?.includes(to)) return "INVALID_TRANSITION";
    workflow.status = to;
    return { success: true };
  }

  next(workflow: ModelWorkflow, includesFailed: boolean): object {
    const mine = this.inOrder((task) => task.workflow === workflow);
    const ready = mine.filter(
      (task) =>
        task.holder === null && (this.statusOf(task) === "pending" || (includesFailed && task.status === "failed")),
    );
    const running = mine.filter((task) => task.status === "planning" || task.status === "in_progress").length;
    const free = isUnderWay(workflow) ? Math.max(0, workflow.maxParallel - running) : 0;
    return {
      tasks: ready.map((task) => ({
        id: task.id,
        name: task.name,
        description: `Do ${task.name}.`,
        can_parallelize: task.group !== null,
        ...(task.group === null
          ? {}
          : { parallel_with: mine.filter((one) => one.group === task.group && one !== task).map((one) => one.id) }),
        dependencies_completed: mine.filter((one) => task.dependsOn.includes(one.id)).map((one) => one.id),
      })),
      max_parallel: workflow.maxParallel,
      recommended_count: Math.min(ready.length, free),
      workflow_status: workflow.status,
      all_complete: mine.every(isFinished),
    };
  }

  progress(workflow: ModelWorkflow): object {
    const mine = this.inOrder((task) => task.workflow === workflow);
    const words = ["pending", "planning", "in_progress", "paused", "blocked", "completed", "failed", "skipped"];
    const countOf = (word: string) => mine.filter((task) => this.statusOf(task) === word).length;
    const open = mine.filter((task) => !isFinished(task));
    const current = open[0]?.sequence;
    const finishedUpTo = mine.map((task) => task.sequence).filter((one) => current === undefined || one < current);
    const groups = [...new Set(mine.flatMap((task) => task.group ?? []))].sort();
    const starts = mine.flatMap((task) => task.startedAt ?? []);
    // A workflow is planned the moment it is made here.
    const began = Math.min(...(starts.length > 0 ? starts : mine.map((task) => task.createdAt)));
    const finished = mine.length - open.length;
    return {
      total_tasks: mine.length,
      by_status: Object.fromEntries(words.map((word) => [word, countOf(word)])),
      completed_sequence: Math.max(0, ...finishedUpTo),
      current_sequence: current ?? 0,
      blocked_tasks: mine
        .filter((task) => this.statusOf(task) === "blocked")
        .map((task) => ({ id: task.id, name: task.name, blocked_by: this.blockers(task).map((one) => one.name) })),
      parallel_groups: groups.map((group) => {
        const members = mine.filter((task) => task.group === group);
        return { group_id: group, task_count: members.length, completed: members.filter(isFinished).length };
      }),
      estimated_remaining: open.length,
      ...(finished < 3 ? {} : { eta_seconds: Math.round(((this.now - began) / 1_000 / finished) * open.length) }),
    };
  }

  available(agent: ModelAgent, workflow: ModelWorkflow | undefined): string[] {
    return this.inOrder(
      (task) =>
        isUnderWay(task.workflow) &&
        (workflow === undefined || task.workflow === workflow) &&
        task.holder === null &&
        this.statusOf(task) === "pending" &&
        task.capabilities.every((one) => agent.capabilities.includes(one)),
    ).map((task) => task.id);
  }
}
