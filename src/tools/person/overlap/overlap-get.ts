import { z } from "zod";
import { readComparison, unknownDoubt } from "../../../domain/overlap/read-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { ComparisonRecord, comparisonRecord } from "../voice/overlap.ts";

export default defineTool({
  name: "overlap_get",
  family: "person",
  title: "Compare overlapping work",
  summary: "See both sides of one check or warning: what is similar, how similar, why, and what was decided.",
  effect: "read",
  callers: ["agent"],
  input: z.object({ id: z.string().min(1).max(100).describe("A check or a warning.") }),
  output: ComparisonRecord,
  routes: [{ method: "GET", path: "/api/overlap/:id", key: "id" }],
  refusals: ["NOT_FOUND"],
  examples: [{ title: "a start that waits", input: { id: "$check" } }],
  async handle({ id }, work) {
    const comparison = await readComparison(work.db, id);
    const viewer = await readViewer(work);
    // Of somebody private it is as good as unknown (ID22).
    if (!viewer.knows(comparison.doubt)) throw unknownDoubt();
    return comparisonRecord(comparison, { viewer, now: work.now });
  },
});
