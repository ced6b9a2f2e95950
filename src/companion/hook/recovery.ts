import { askTool, type Target } from "../server.ts";
import type { ClientSession } from "../sessions.ts";

/** A thousand have the plan in force, the open error, the last decision and the last changed files. */
const packTokens = 1_000;
const mostTasks = 500;

/**
 * What an agent that has just forgotten needs to go on with its task: the task's pack, or how to load it where the server
 * took too long to put it together.
 */
export async function recovery(
  target: Target,
  { session_id, own }: ClientSession,
  signal: AbortSignal,
): Promise<string[]> {
  const task_id = await findTask(target, [session_id, ...own], signal).catch(() => undefined);
  if (task_id === undefined) return [];
  try {
    const pack = await askTool(target, "task_load_context", { task_id, max_tokens: packTokens }, { signal });
    return ["Your task before the compaction, as recorded (more: task_load_context):", JSON.stringify(pack)];
  } catch {
    return [`Your task is ${task_id}. Load its context with task_load_context.`];
  }
}

/** The one that it worked on last. */
async function findTask(target: Target, sessions: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const { tasks } = await askTool(target, "task_list", { column: "active", limit: mostTasks }, { signal });
  const active = tasks as { id: string; claimed_by: string | null }[];
  return active.find(({ claimed_by }) => claimed_by !== null && sessions.includes(claimed_by))?.id;
}
