import { z } from "zod";
import { listDoubts } from "../../../domain/overlap/read-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { DoubtRecord, doubtRecord } from "../voice/overlap.ts";

export default defineTool({
  name: "overlap_list",
  family: "person",
  title: "List possible duplicates",
  summary: "List starts that need a decision and other open warnings about possible duplicates.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    everyone: z.boolean().default(false).describe("Everybody's, not only your own."),
    limit: z.number().int().min(1).max(200).default(100).describe("At most this many."),
  }),
  output: z.object({ items: z.array(DoubtRecord) }),
  routes: [{ method: "GET", path: "/api/overlap" }],
  refusals: [],
  examples: [{ title: "the whole team's", input: { everyone: true } }],
  async handle({ everyone, limit }, work) {
    const { now, caller } = work;
    const doubts = await listDoubts(work.db, { developerId: everyone ? undefined : caller.developerId, now, limit });
    const viewer = await readViewer(work);
    return { items: viewer.known(doubts).map((doubt) => doubtRecord(doubt, { viewer, now })) };
  },
});
