import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { lifecycle } from "../../contract/lifecycle.ts";

const status = z.enum(lifecycle);
const workflow_id = z.string().nullable();
const title = z.string();
const task_type = z.string().nullable();

/** What happens to a task in the team's own words. */
export const stepEvent = defineEvents("task", {
  planned: {
    announced: "task.planned",
    data: z.object({ workflow_id, title, task_type, warning_id: z.string().nullable() }),
  },
  plannedUpdated: { announced: "task.planned_updated", data: z.object({ workflow_id, fields: z.array(z.string()) }) },
  started: {
    announced: "task.started",
    data: z.object({ workflow_id, title, task_type, check_id: z.string(), was_planned: z.boolean() }),
  },
  updated: { announced: "task.updated", data: z.object({ workflow_id, from: status, to: status }) },
  completed: { announced: "task.completed", data: z.object({ workflow_id, from: status }) },
  cancelled: {
    announced: "task.cancelled",
    data: z.object({ workflow_id, from: status, reason: z.string() }),
  },
});
