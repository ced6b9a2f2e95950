import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const Decided = z.object({ developer_id: z.string(), machine_name: z.string(), agents: z.array(z.string()) });

/** Never a code, nor the hash of one. */
export const deviceEvent = defineEvents("device", {
  requested: {
    announced: "device:requested",
    data: z.object({ machine_name: z.string(), agents: z.array(z.string()) }),
  },
  approved: { announced: "device:approved", data: Decided },
  denied: { announced: "device:denied", data: Decided },
  consumed: { announced: "device:consumed", data: z.object({ developer_id: z.string() }) },
});
