import { z } from "zod";
import { diffPull } from "../../../domain/pull/diff-operations.ts";
import { defineTool } from "../../define.ts";
import { PullDiffRecord, pullDiffRecord } from "../voice/diff.ts";
import { PullNumber } from "../voice/pull.ts";

export default defineTool({
  name: "pull_diff",
  family: "person",
  title: "Show a pull request's diff",
  summary: "Show line by line what a local pull request changes, since its branch left its base.",
  guidance: "Lines beyond the limits are counted in left_out_lines; ask for that file with path to get more of them.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    number: PullNumber,
    path: z.string().min(1).max(20_000).optional().describe("Only this file, with up to 5,000 lines in place of 400."),
    after: z.string().min(1).max(20_000).optional().describe("Only files whose names come after this one."),
    limit: z.number().int().min(1).max(200).default(100).describe("How many files at most."),
  }),
  output: PullDiffRecord,
  routes: [{ method: "GET", path: "/api/pulls/:id/diff", key: "number" }],
  refusals: ["NOT_FOUND", "INVALID_STATE", "GIT_ERROR", "REPOSITORY_NOT_FOUND"],
  examples: [{ title: "everything it changes", input: { number: 1 } }],
  observe: ({ number, path, after, limit }, look) => diffPull(look, number, { path, after, mostFiles: limit }),
  handle: async (_input, _work, diff) => pullDiffRecord(diff),
});
