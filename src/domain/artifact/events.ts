import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const artifactEvent = defineEvents("artifact", {
  downloaded: {
    announced: "artifact:downloaded",
    data: z.object({ kind: z.string(), sha256: z.string(), bytes: z.number() }),
  },
});
