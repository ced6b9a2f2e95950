import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { attentionKinds, instanceOrigins, instanceStatuses, instanceTypes, launchModes } from "../../contract/words.ts";

const status = z.enum(instanceStatuses);

export const instanceEvent = defineEvents("instance", {
  created: {
    announced: "instance:created",
    data: z.object({
      type: z.enum(instanceTypes),
      origin: z.enum(instanceOrigins),
      status,
      branch_name: z.string().nullable(),
      parent_instance_id: z.string().nullable(),
    }),
  },
  statusChanged: {
    announced: "instance:status",
    data: z.object({ from: status, status, reason: z.string().nullable() }),
  },
  launched: { announced: "instance:launched", data: z.object({ turn: z.number(), mode: z.enum(launchModes) }) },
  launchFailed: { announced: "instance:failed", data: z.object({ code: z.string() }) },
  attentionChanged: {
    announced: "instance:attention",
    data: z.object({ kind: z.enum(attentionKinds).nullable(), reason: z.string().nullable() }),
  },
  processEnded: { announced: "instance:exit", data: z.object({ exit_code: z.number().nullable() }) },
  endFailed: { announced: "instance:stuck", data: z.object({ code: z.string() }) },
});
