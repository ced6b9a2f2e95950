import { z } from "zod";
import { listMatters } from "../../../domain/context/matter-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { MatterRecord, matterRecords } from "../../team/voice/matter.ts";

export default defineTool({
  name: "inbox",
  family: "person",
  title: "What needs a person",
  summary: "See what waits until you do something about it, the most urgent first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    everyone: z.boolean().default(false).describe("What waits for anyone of the team, not only for you."),
    limit: z.number().int().min(1).max(100).default(50).describe("At most this many."),
  }),
  output: z.object({ items: z.array(MatterRecord) }),
  routes: [{ method: "GET", path: "/api/inbox" }],
  refusals: [],
  examples: [
    { title: "your own", input: {} },
    { title: "the whole team's", input: { everyone: true } },
  ],
  async handle({ everyone, limit }, work) {
    const developerId = everyone ? undefined : work.caller.developerId;
    const matters = await listMatters(work.db, { developerId, now: work.now, limit });
    const viewer = await readViewer(work);
    return { items: await matterRecords(work, viewer.known(matters), viewer) };
  },
});
