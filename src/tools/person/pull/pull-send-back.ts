import { z } from "zod";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { lookAtPull, sendBackPull } from "../../../domain/pull/operations.ts";
import { ItemName } from "../../../domain/review/model.ts";
import { defineTool } from "../../define.ts";
import { PullNumber, PullRecord, pullRecord } from "../voice/pull.ts";

export default defineTool({
  name: "pull_send_back",
  family: "person",
  title: "Request changes",
  summary: "Send a local pull request back to the agent that opened it, with the comments made since the last time.",
  effect: "change",
  callers: ["person"],
  input: z.object({
    number: PullNumber,
    summary: z.string().trim().max(20_000).default("").describe("What should change; may be left out with comments."),
    resolved_items: z
      .array(ItemName)
      .max(1_000)
      .default([])
      .describe("Comments sent back before that are done now, such as 2.1; the others stay open."),
  }),
  output: PullRecord,
  routes: [{ method: "POST", path: "/api/pulls/:id/send-back", key: "number" }],
  refusals: ["NOT_FOUND", "INVALID_STATE", "INVALID_INPUT"],
  examples: [{ title: "with a summary", input: { number: 1, summary: "Add a test for the empty form." } }],
  observe: async ({ number }, look) => (await lookAtPull(look, number)).comparison?.head ?? null,
  async handle({ number, summary, resolved_items: done }, work, head) {
    return pullRecord(await sendBackPull(work, { number, summary, head, done }), await readViewer(work));
  },
});
