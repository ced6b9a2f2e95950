import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { lifecycle } from "../../contract/lifecycle.ts";

const status = z.enum(lifecycle);
const workflow_id = z.string().nullable();

export const taskEvent = defineEvents("task", {
  created: { announced: "task:created", data: z.object({ workflow_id, name: z.string(), status }) },
  planSet: { announced: "task:updated", data: z.object({ workflow_id, status }) },
  statusChanged: { announced: "task:updated", data: z.object({ workflow_id, from: status, to: status }) },
  replanned: { announced: "task:updated", data: z.object({ workflow_id, from: status, to: status }) },
  claimed: { announced: "task:updated", data: z.object({ workflow_id, agent_id: z.string(), fence: z.number() }) },
  released: {
    announced: "task:updated",
    data: z.object({ workflow_id, agent_id: z.string(), reason: z.string().nullable(), status }),
  },
  /** It has another place in the order. */
  moved: { announced: "task:updated", data: z.object({ workflow_id, from: z.number(), to: z.number() }) },
  assigned: { announced: "task:updated", data: z.object({ workflow_id, workspace_id: z.string() }) },
});
