import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const teamEvent = defineEvents("team", {
  founded: { announced: "team:founded", data: z.object({ name: z.string() }) },
  /** The owner changed a figure of `config.json`; it counts at once. */
  thresholdSet: {
    announced: "team:threshold_set",
    data: z.object({ key: z.string(), value: z.number(), before: z.number() }),
  },
  /** The store was found damaged and is used as it is. */
  damageAccepted: {
    announced: "team:damage_accepted",
    data: z.object({ problems: z.array(z.string()), entries: z.number() }),
  },
});

export const developerEvent = defineEvents("developer", {
  created: { announced: "developer:created", data: z.object({ handle: z.string(), role: z.string() }) },
  updated: { announced: "developer:updated", data: z.object({ fields: z.array(z.string()) }) },
});

/** Never the token, its secret or its hash. */
export const tokenEvent = defineEvents("token", {
  created: {
    announced: "token:created",
    data: z.object({ developer_id: z.string(), label: z.string(), agent_type: z.string().nullable() }),
  },
  revoked: { announced: "token:revoked", data: z.object({ developer_id: z.string() }) },
});
