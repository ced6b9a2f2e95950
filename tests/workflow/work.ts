import { expect } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";

/** What a test says of a task; the rest is plain. */
export interface TaskAsk {
  readonly name: string;
  readonly sequence?: number;
  readonly description?: string;
  readonly depends_on?: readonly string[];
  readonly parallel_group?: string;
  readonly required_capabilities?: readonly string[];
  readonly estimated_complexity?: string;
  readonly files_likely_affected?: readonly string[];
}

export interface PlannedWork {
  readonly id: string;
  /** The id of the task of this name. */
  task(name: string): string;
}

export const planOf = (tasks: readonly TaskAsk[]) => ({
  summary: "A summary",
  approach: "An approach",
  tasks: tasks.map((task) => ({ description: `Do ${task.name}.`, sequence: 1, ...task })),
});

export async function newWorkflow(house: TestHouse, ask: Record<string, unknown> = {}, by?: Caller): Promise<string> {
  const args = { name: "Work", source_type: "prompt", source_content: "Do it.", ...ask };
  return (await house.call<{ id: string }>("workflow_create", args, by)).id;
}

/** A workflow with these tasks, ready to begin. */
export async function planned(
  house: TestHouse,
  tasks: readonly TaskAsk[],
  ask: Record<string, unknown> = {},
  by?: Caller,
): Promise<PlannedWork> {
  const id = await newWorkflow(house, ask, by);
  await house.call("workflow_set_plan", { id, plan: planOf(tasks) }, by);
  return { id, task: await taskIds(house, id, by) };
}

export async function taskIds(house: TestHouse, workflowId: string, by?: Caller): Promise<(name: string) => string> {
  const read = { id: workflowId, include_tasks: true };
  const { tasks } = await house.call<{ tasks: { id: string; name: string }[] }>("workflow_get", read, by);
  const ids = new Map(tasks.map((task) => [task.name, task.id]));
  return (name) => {
    const found = ids.get(name);
    if (found === undefined) throw new Error(`the workflow has no task ${name}`);
    return found;
  };
}

/** A free task of a workflow of its own. */
export async function oneTask(house: TestHouse, by?: Caller, ask: Partial<TaskAsk> = {}): Promise<string> {
  return (await planned(house, [{ name: "Alone", ...ask }], {}, by)).task(ask.name ?? "Alone");
}

const ways: Record<string, readonly string[]> = {
  pending: [],
  planning: ["planning"],
  in_progress: ["planning", "in_progress"],
  paused: ["planning", "in_progress", "paused"],
  completed: ["planning", "in_progress", "completed"],
  failed: ["planning", "in_progress", "failed"],
  skipped: ["planning", "in_progress", "failed", "skipped"],
};

/** Brings a pending task to a status, step by step. */
export async function bring(house: TestHouse, id: string, to: string, by?: Caller): Promise<void> {
  for (const status of ways[to] ?? []) {
    const more = { completed: { outcome: "It works." }, failed: { error: "It broke." } };
    await house.call("task_update_status", { id, status, ...more[status as keyof typeof more] }, by);
  }
}

export const claim = (house: TestHouse, taskId: string, agentId: string, by?: Caller) =>
  house.call<{ success: boolean; fence?: number; already_claimed_by?: string }>(
    "task_claim",
    { task_id: taskId, agent_id: agentId },
    by,
  );

export const statusOf = async (house: TestHouse, id: string): Promise<unknown> =>
  (await house.call("task_get", { id }))["status"];

/** A refused step says which are legal, if any is. */
export const hintOf = (legal: readonly string[] = []): unknown =>
  legal.length > 0 ? expect.stringContaining(legal.join(", ")) : expect.not.stringMatching(/: *\.$/);
