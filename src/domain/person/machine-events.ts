import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

/** Only that something is new: how somebody's clients are set up is theirs to know, and others read the ledger too. */
export const machineEvent = defineEvents("machine", {
  reported: { announced: "machine:reported", data: z.object({ machine_name: z.string() }) },
});
