import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { MissingPlaces } from "./recovery-model.ts";

/** Numbers and places only: the words belong to the task itself and are hidden with it. */
export const recoveryEvent = defineEvents("recovery", {
  measured: {
    announced: "recovery:measured",
    data: z.object({
      budget: z.number(),
      decisions: z.number(),
      decisions_kept: z.number(),
      files: z.number(),
      files_kept: z.number(),
      steps: z.number(),
      steps_kept: z.number(),
      /** Only where something is. */
      missing: MissingPlaces.optional(),
    }),
  },
});
