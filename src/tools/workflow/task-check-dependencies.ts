import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { isFinished } from "../../domain/lifecycle.ts";
import { listDependencies } from "../../domain/task/graph-queries.ts";
import { getSeenTask } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { statusOf } from "./voice/words.ts";

export default defineTool({
  name: "task_check_dependencies",
  family: "workflow",
  title: "Check a task's dependencies",
  summary: "See whether everything a task depends on is finished, and what is not.",
  keywords: "waiting for others unfinished blocked by ready",
  effect: "read",
  callers: ["agent"],
  input: z.object({ task_id: TaskId.describe("The task.") }),
  output: z.object({
    satisfied: z.boolean(),
    pending: z.array(z.object({ id: TaskId, name: z.string(), status: z.string() })),
    completed: z.array(z.object({ id: TaskId, name: z.string(), outcome: z.string() })),
  }),
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "can it begin", input: { task_id: "$task" } }],
  async handle({ task_id }, work) {
    await getSeenTask(work, task_id);
    const dependencies = await listDependencies(work.db, task_id);
    const open = dependencies.filter((task) => !isFinished(task.status));
    const closed = dependencies.filter((task) => isFinished(task.status));
    return {
      satisfied: open.length === 0,
      pending: open.map((task) => ({ id: task.id, name: task.name, status: statusOf(task) })),
      completed: closed.map((task) => ({ id: task.id, name: task.name, outcome: task.outcome ?? "" })),
    };
  },
});
