import { z } from "zod";
import { defineEvents } from "../../contract/event.ts";

const facts = { number: z.number(), branch: z.string(), base: z.string(), agent_id: z.string().nullable() };

export const pullEvent = defineEvents("pull", {
  requested: {
    announced: "pull:requested",
    data: z.object({ branch: z.string(), base: z.string(), host: z.string(), agent_id: z.string().nullable() }),
  },
  opened: { announced: "pull:opened", data: z.object({ ...facts, url: z.string(), head: z.string() }) },
  moved: { announced: "pull:updated", data: z.object({ ...facts, head: z.string() }) },
  failed: { announced: "pull:failed", data: z.object({ branch: z.string(), code: z.string() }) },
  commented: { announced: "pull:commented", data: z.object({ ...facts, path: z.string().nullable() }) },
  sentBack: { announced: "pull:sent_back", data: z.object({ ...facts, comments: z.number() }) },
  merged: {
    announced: "pull:merged",
    data: z.object({ ...facts, commit: z.string().nullable(), method: z.string().nullable() }),
  },
  mergeFailed: { announced: "pull:merge_failed", data: z.object({ ...facts, code: z.string() }) },
  closed: { announced: "pull:closed", data: z.object(facts) },
});

export const issueEvent = defineEvents("issue", {
  filed: { announced: "issue:filed", data: z.object({ number: z.number(), url: z.string(), created: z.boolean() }) },
  failed: { announced: "issue:failed", data: z.object({ code: z.string() }) },
});
