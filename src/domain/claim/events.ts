import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { endReasons } from "../../contract/words.ts";

const where = { repo: z.string(), branch: z.string().nullable(), fence: z.number(), task_id: z.string().nullable() };

/** What was claimed by whom, the first names of it at most; `developer_id` is the one who holds it now. */
export const claimEvent = defineEvents("claim", {
  taken: {
    announced: "claim.taken",
    data: z.object({
      ...where,
      paths: z.array(z.string()),
      symbols: z.array(z.string()),
      exclusive: z.boolean(),
      expires_at: z.string(),
      conflicts: z.number(),
      /** Why it is shared although it was wanted alone. */
      reason: z.literal("no_collision").optional(),
    }),
  },
  renewed: { announced: "claim.renewed", data: z.object({ ...where, expires_at: z.string() }) },
  released: {
    announced: "claim.released",
    data: z.object({ ...where, developer_id: z.string(), reason: z.enum(endReasons) }),
  },
  /** With a task, to the developer who accepted it. */
  moved: {
    announced: "claim.moved",
    data: z.object({ ...where, developer_id: z.string(), expires_at: z.string() }),
  },
});
