import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

/** Names and numbers only: what a session works on stays on its developer's machine. */
export const sessionEvent = defineEvents("session", {
  started: {
    announced: "session.started",
    data: z.object({
      agent_name: z.string(),
      agent_type: z.string().nullable(),
      provider: z.string().nullable(),
      model: z.string().nullable(),
      repo: z.string().nullable(),
      branch: z.string().nullable(),
    }),
  },
  /** The token is for one kind of agent and the agent said that it is another; the token was believed. */
  agentMismatched: {
    announced: "session.agent_mismatch",
    data: z.object({ token_type: z.string(), reported_type: z.string() }),
  },
  seen: {
    announced: "session.heartbeat",
    data: z.object({ registered_repos: z.number(), companion_version: z.string().nullable() }),
  },
  snapshotTaken: {
    announced: "session.snapshot",
    data: z.object({
      repo: z.string().nullable(),
      branch: z.string().nullable(),
      head: z.string().nullable(),
      dirty_files: z.number(),
      unpushed_files: z.number(),
    }),
  },
  activityLogged: {
    announced: "session.activity",
    data: z.object({
      kind: z.string(),
      summary: z.string(),
      files: z.array(z.string()),
      counters: z.record(z.string(), z.number()),
    }),
  },
  ended: { announced: "session.ended", data: z.object({ summary: z.string().nullable() }) },
});
