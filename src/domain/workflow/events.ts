import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { lifecycle } from "../../contract/lifecycle.ts";

const status = z.enum(lifecycle);

export const workflowEvent = defineEvents("workflow", {
  created: { announced: "workflow:created", data: z.object({ kind: z.string(), name: z.string(), status }) },
  planSet: { announced: "workflow:updated", data: z.object({ status, tasks: z.number() }) },
  statusChanged: { announced: "workflow:status", data: z.object({ from: status, to: status }) },
  /** A task of a workflow of the older form began or stands elsewhere now; older clients wait for this name. */
  progressed: { announced: "workflow:updated", data: z.object({ task_id: z.string(), status }) },
  parallelismSet: { announced: "workflow:updated", data: z.object({ max_parallel_tasks: z.number() }) },
});
