import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { diffInstance } from "../../../domain/pull/diff-operations.ts";
import { defineTool } from "../../define.ts";
import { InstanceDiffRecord, instanceDiffRecord } from "../voice/diff.ts";

const FilePath = z.string().min(1).max(20_000);

export default defineTool({
  name: "instance_diff",
  family: "person",
  title: "Show what an agent has committed",
  summary: "Show line by line what an instance has committed on its branch since it left its base.",
  guidance: "Lines beyond the limits are counted in left_out_lines; ask for that file with path to get more of them.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    id: InstanceId.describe("The instance."),
    path: FilePath.optional().describe("Only this file, with up to 5,000 lines in place of 400."),
    after: FilePath.optional().describe("Only files whose names come after this one."),
    limit: z.number().int().min(1).max(200).default(100).describe("How many files at most."),
  }),
  output: InstanceDiffRecord,
  routes: [{ method: "GET", path: "/api/instances/:id/diff", key: "id" }],
  refusals: ["INSTANCE_NOT_FOUND", "NOT_FOUND", "INVALID_STATE", "GIT_ERROR", "REPOSITORY_NOT_FOUND"],
  examples: [{ title: "everything it has committed", needs: "launcher", input: { id: "$instance" } }],
  observe: ({ id, path, after, limit }, look) => diffInstance(look, id, { path, after, mostFiles: limit }),
  handle: async (_input, _work, diff) => instanceDiffRecord(diff),
});
