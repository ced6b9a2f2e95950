import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { diffReceipt } from "../../../domain/evidence/diff-operations.ts";
import { checkMayVerify } from "../../../domain/evidence/verify-operations.ts";
import { defineTool } from "../../define.ts";
import { DiffRecord, diffRecord } from "../voice/diff.ts";

const FilePath = z.string().min(1).max(20_000);

export default defineTool({
  name: "task_diff",
  family: "person",
  title: "Show what a task changed",
  summary:
    "Show line by line what a task changed, from the contents its receipt names; a content that is gone is said to be.",
  guidance: "Lines beyond the limits are counted in left_out_lines; ask for that file with path to get more of them.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    path: FilePath.optional().describe("Only this file, with up to 5,000 lines in place of 400."),
    after: FilePath.optional().describe("Only files whose names come after this one: the last of the page before."),
    limit: z.number().int().min(1).max(200).default(100).describe("How many files at most."),
  }),
  output: DiffRecord,
  routes: [{ method: "GET", path: "/api/tasks/:id/diff", key: "task_id" }],
  refusals: ["NOT_FOUND", "INVALID_STATE", "GIT_ERROR", "FORBIDDEN"],
  examples: [{ title: "everything it changed", input: { task_id: "$ended_task" } }],
  async observe({ task_id, path, after, limit }, look) {
    await look.read((db) => checkMayVerify(db, task_id, look.caller));
    return diffReceipt(look, task_id, { path, after, mostFiles: limit });
  },
  handle: async (_input, _work, diff) => diffRecord(diff),
});
