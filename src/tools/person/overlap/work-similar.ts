import { z } from "zod";
import { openRecord } from "../../../contract/open-record.ts";
import { listSimilar, readSought, type Sought, unknownSought } from "../../../domain/overlap/similar-operations.ts";
import type { LikeWork } from "../../../domain/overlap/work-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { similarRecords } from "../../team/voice/work.ts";

type Similar = Awaited<ReturnType<typeof similarRecords>>[number];

export default defineTool({
  name: "work_similar",
  family: "person",
  title: "List similar work",
  summary: "See the work most similar to a task, a workstream or what a check looked for, best first, without scores.",
  keywords: "nearest duplicate close related overlap",
  effect: "read",
  callers: ["agent"],
  input: z.object({ id: z.string().min(1).max(100).describe("A task, a workstream or a check.") }),
  output: z.object({ similar: z.array(openRecord<Similar>()).describe("To look at; nothing follows from it.") }),
  routes: [{ method: "GET", path: "/api/similar/:id", key: "id" }],
  refusals: ["NOT_FOUND"],
  examples: [{ title: "to a task", input: { id: "$task" } }],
  async observe({ id }, look): Promise<{ readonly sought: Sought; readonly like: LikeWork }> {
    const sought = await look.read((db) => readSought(db, id));
    return { sought, like: await look.ports.overlap.findLikeWork(sought.query, look.signal) };
  },
  async handle(_input, work, { sought, like }) {
    const viewer = await readViewer(work);
    // Of somebody private it is as good as unknown (ID22).
    if (!viewer.knows(sought.query)) throw unknownSought();
    return { similar: await similarRecords(work, await listSimilar(work, sought, like)) };
  },
});
