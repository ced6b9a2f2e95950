import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { agentStatuses } from "../../contract/words.ts";

const status = z.enum(agentStatuses);

export const agentEvent = defineEvents("agent", {
  registered: {
    announced: "agent:registered",
    data: z.object({
      name: z.string(),
      runtime: z.string(),
      role: z.string(),
      status,
      resumed: z.literal(true).optional(),
    }),
  },
  heartbeat: { announced: "agent:heartbeat", data: z.object({ status, current_task_id: z.string().nullable() }) },
  updated: { announced: "agent:updated", data: z.object({ fields: z.array(z.string()), status }) },
  unregistered: { announced: "agent:unregistered", data: z.object({ status }) },
  /** The server gave the agent up after a silence. */
  wentStale: { announced: "agent:offline", data: z.object({ status, silent_ms: z.number() }) },
});
