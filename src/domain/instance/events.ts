import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { instanceOrigins, instanceStatuses, instanceTypes } from "../../contract/words.ts";

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
});
