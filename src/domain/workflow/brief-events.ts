import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const name = z.string();

export const briefEvent = defineEvents("mission", {
  started: { announced: "mission:created", data: z.object({ name, profile: z.string(), total_phases: z.number() }) },
  advanced: { announced: "mission:updated", data: z.object({ current_phase: z.number() }) },
  ended: { announced: "mission:updated", data: z.object({ status: z.string() }) },
  /** An issue that needs a person was raised, or the last one was resolved. */
  blocked: { announced: "mission:updated", data: z.object({ is_blocked: z.boolean() }) },
  /** Another family's tool changed the workflow that the mission is. */
  statusChanged: { announced: "mission:updated", data: z.object({ status: z.string() }) },
});

export const phaseEvent = defineEvents("phase", {
  begun: { announced: "phase:created", data: z.object({ workflow_id: z.string(), number: z.number(), name }) },
  ended: {
    announced: "phase:updated",
    data: z.object({ workflow_id: z.string(), number: z.number(), status: z.string() }),
  },
});
