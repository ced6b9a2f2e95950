import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

/** A task has another owner; `developer_id` is the new one. */
export const giveEvent = defineEvents("task", {
  handedOver: {
    announced: "task.handed_over",
    data: z.object({ workflow_id: z.string().nullable(), developer_id: z.string(), fence: z.number() }),
  },
});
