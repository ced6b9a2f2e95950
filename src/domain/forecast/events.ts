import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";
import { collisionVerdicts } from "../../contract/words.ts";

const verdict = z.enum(collisionVerdicts);

/** Verdicts and counts only: whose folders these are depends on who reads. */
export const collisionEvent = defineEvents("collision", {
  began: { announced: "collision.began", data: z.object({ verdict, files: z.number() }) },
  changed: { announced: "collision.changed", data: z.object({ verdict, was: verdict, files: z.number() }) },
  ended: { announced: "collision.ended", data: z.object({ verdict, lasted_ms: z.number() }) },
  /** An agent will hear of it with its next answer; `developer_id` is whose agent that is. */
  told: {
    announced: "collision.told",
    data: z.object({ verdict, developer_id: z.string(), agent_id: z.string() }),
  },
});

/** An agent will hear with its next answer that its base has moved on in what concerns it, or has its work already. */
export const baseEvent = defineEvents("base", {
  told: {
    announced: "base.told",
    data: z.object({ what: z.enum(["behind", "merged"]), developer_id: z.string(), agent_id: z.string() }),
  },
});
