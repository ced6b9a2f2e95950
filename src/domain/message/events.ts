import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

/** Who wrote to whom and how urgent it is; never the words. */
export const messageEvent = defineEvents("message", {
  sent: {
    announced: "message:new",
    data: z.object({
      sender_id: z.string().nullable(),
      recipient_id: z.string(),
      thread_id: z.string(),
      message_type: z.string(),
      priority: z.string(),
    }),
  },
  read: { announced: "message:read", data: z.object({ recipient_id: z.string() }) },
  archived: { announced: "message:archived", data: z.object({ recipient_id: z.string() }) },
});
