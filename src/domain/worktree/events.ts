import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const workflow_id = z.string();

export const worktreeEvent = defineEvents("worktree", {
  registered: { announced: "workspace:created", data: z.object({ workflow_id, branch: z.string() }) },
  updated: { announced: "workspace:updated", data: z.object({ workflow_id, status: z.string() }) },
  prepared: { announced: "workspace:ready", data: z.object({ workflow_id, branch: z.string() }) },
  failed: { announced: "workspace:failed", data: z.object({ workflow_id, code: z.string() }) },
  removed: { announced: "workspace:removed", data: z.object({ workflow_id }) },
  kept: { announced: "workspace:kept", data: z.object({ workflow_id, code: z.string() }) },
});

const worktree_id = z.string();

export const vaultEvent = defineEvents("vault", {
  stored: {
    announced: "vault:stored",
    data: z.object({ worktree_id, staged: z.number(), unstaged: z.number(), untracked: z.number() }),
  },
  restored: { announced: "vault:restored", data: z.object({ worktree_id }) },
  restoreFailed: { announced: "vault:failed", data: z.object({ worktree_id, code: z.string() }) },
  dropped: { announced: "vault:dropped", data: z.object({ worktree_id }) },
});
