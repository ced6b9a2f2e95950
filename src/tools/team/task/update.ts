import { z } from "zod";
import { updateTask } from "../../../domain/intent/operations.ts";
import { isFinished } from "../../../domain/lifecycle.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell, warn } from "../voice/answer.ts";
import { SessionId, TaskRef } from "../voice/words.ts";
import { taskRecord } from "../voice/work.ts";
import { Action, Component, Description, Priority, Scope, TaskType, Title } from "../voice/work-words.ts";

export default defineTool({
  name: "update",
  family: "team",
  title: "Update a task",
  summary: "Say that a started task is blocked or goes on, or edit one that is still planned.",
  keywords: "blocked unblock edit rename change title description",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    task_id: TaskRef,
    status: z.enum(["active", "blocked"]).optional().describe("How started work stands."),
    title: Title.optional(),
    description: Description.optional(),
    scope: Scope.optional(),
    action: Action.optional(),
    component: Component.optional(),
    priority: Priority.optional(),
    task_type: TaskType.optional(),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: [
    "SESSION_NOT_FOUND",
    "TASK_NOT_FOUND",
    "FORBIDDEN",
    "INVALID_STATE",
    "INVALID_INPUT",
    "INVALID_TRANSITION",
  ],
  examples: [{ title: "it waits", input: { task_id: "$team_task", status: "blocked", session_id: "$session" } }],
  async handle(input, work) {
    const { title, description, scope, action, component, priority } = input;
    const edits = { title, description, scope, action, component, priority, taskType: input.task_type };
    const { task_id: id, session_id: sessionId, status } = input;
    const updated = await updateTask(work, { taskId: id, sessionId, status, edits });
    const { kind, fields, task } = updated;
    if (kind === "moved") {
      return tell({
        message: `The task is ${task.status}.`,
        data: { task_id: id, task: taskRecord(updated) },
        next:
          status === "blocked"
            ? `Say what blocks it with covibe_note kind blocker; when it goes on, call covibe_task with operation update, task_id ${id} and status active.`
            : `When it is done, call covibe_task with operation complete, task_id ${id} and result_summary.`,
      });
    }
    if (kind === "started") {
      return warn(id, {
        message: "The task was started; what it is about stays as it was checked. Nothing was changed.",
        data: { code: "ALREADY_STARTED", task_id: id, fields, task: taskRecord(updated) },
        next: isFinished(task.status)
          ? "It stays closed: call covibe_task with operation check for new work."
          : `Go on with it, or call covibe_task with operation cancel, task_id ${id} and a reason, and check what you mean instead.`,
      });
    }
    return tell({
      message: "The planned task was edited.",
      data: { task_id: id, fields, task: taskRecord(updated) },
      next: `When you begin it, call covibe_task with operation check, its title and planned_task_id ${id}, then start_planned.`,
    });
  },
});
