import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

export const artifactEvent = defineEvents("artifact", {
  downloaded: {
    announced: "artifact:downloaded",
    data: z.object({ kind: z.string(), sha256: z.string(), bytes: z.number() }),
  },
  removed: { announced: "artifact:removed", data: z.object({ bytes: z.number(), reason: z.string() }) },
  copied: {
    announced: "artifact:copied",
    data: z.object({ files: z.number(), chunks: z.number(), bytes: z.number() }),
  },
  compacted: { announced: "artifact:compacted", data: z.object({ before: z.number(), after: z.number() }) },
});
