import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { lifecycle } from "../../contract/lifecycle.ts";

const status = z.enum(lifecycle);
const title = z.string();
const check_id = z.string().nullable();

/** A workstream is a workflow without a plan; its events have the names its family knows. */
export const workstreamEvent = defineEvents("workstream", {
  planned: { announced: "workstream.planned", data: z.object({ title, warning_id: z.string().nullable() }) },
  started: { announced: "workstream.started", data: z.object({ title, check_id }) },
  startPlanned: { announced: "workstream.start_planned", data: z.object({ title, check_id }) },
  autoCreated: { announced: "workstream.auto_created", data: z.object({ title, task_id: z.string() }) },
  updated: { announced: "workstream.updated", data: z.object({ from: status, to: status }) },
  completed: {
    announced: "workstream.completed",
    data: z.object({ open_task_ids: z.array(z.string()), by_server: z.boolean() }),
  },
  cancelled: { announced: "workstream.cancelled", data: z.object({ reason: z.string() }) },
});
