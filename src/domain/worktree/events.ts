import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const workflow_id = z.string();

export const worktreeEvent = defineEvents("worktree", {
  registered: { announced: "workspace:created", data: z.object({ workflow_id, branch: z.string() }) },
  updated: { announced: "workspace:updated", data: z.object({ workflow_id, status: z.string() }) },
});
