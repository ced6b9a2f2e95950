import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const templateEvent = defineEvents("template", {
  created: { announced: "template:created", data: z.object({ name: z.string(), tasks: z.number() }) },
});
