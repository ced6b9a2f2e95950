import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const task_id = z.string().nullable();

/** Who turned to whom and about what. Words are kept only where they were meant for all, and only the first of them. */
export const coordinationEvent = defineEvents("coordination", {
  announced: {
    announced: "coordination.announced",
    data: z.object({
      repo: z.string().nullable(),
      branch: z.string().nullable(),
      message: z.string(),
      expires_at: z.string(),
    }),
  },
  asked: { announced: "coordination.asked", data: z.object({ developer_id: z.string(), task_id }) },
  replied: {
    announced: "coordination.replied",
    data: z.object({ developer_id: z.string(), ask_id: z.string(), task_id }),
  },
  offered: {
    announced: "coordination.handoff",
    data: z.object({ developer_id: z.string(), task_id, context_id: z.string().nullable() }),
  },
  /** The giver has offered the task to somebody else, or it can no longer be handed over. */
  withdrawn: { announced: "coordination.handoff_withdrawn", data: z.object({ developer_id: z.string(), task_id }) },
  accepted: {
    announced: "coordination.accepted",
    data: z.object({
      developer_id: z.string(),
      task_id,
      context_id: z.string().nullable(),
      claims: z.number(),
      messages: z.number(),
    }),
  },
  /** The holder of a claim was told that somebody else wants the same code. */
  conflictTold: {
    announced: "coordination.conflict",
    data: z.object({ developer_id: z.string(), claim_id: z.string(), paths: z.number(), symbols: z.number() }),
  },
  /** What somebody was refused because of a claim is held by it no longer. */
  codeFreed: {
    announced: "coordination.freed",
    data: z.object({ developer_id: z.string(), claim_id: z.string() }),
  },
});
