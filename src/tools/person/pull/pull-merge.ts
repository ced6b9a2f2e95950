import { z } from "zod";
import { mergeMethods } from "../../../contract/words.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { checkMerge, mergePull, readMerge } from "../../../domain/pull/operations.ts";
import { defineTool } from "../../define.ts";
import { PullNumber, PullRecord, pullRecord } from "../voice/pull.ts";

export default defineTool({
  name: "pull_merge",
  family: "person",
  title: "Merge a pull request",
  summary: "Merge a local pull request into its base, as a merge, as one commit or commit by commit.",
  guidance: "Conflicts are refused with the files named, and so are uncommitted changes where the base is checked out.",
  effect: "change",
  callers: ["person"],
  input: z.object({
    number: PullNumber,
    method: z.enum(mergeMethods).default("merge").describe("A merge commit, one squashed commit, or a rebase."),
  }),
  output: PullRecord,
  routes: [{ method: "POST", path: "/api/pulls/:id/merge", key: "number" }],
  refusals: ["NOT_FOUND", "INVALID_STATE", "CONFLICT", "GIT_ERROR", "REPOSITORY_NOT_FOUND"],
  examples: [{ title: "as one commit", input: { number: 1, method: "squash" } }],
  observe: ({ number }, look) => checkMerge(look, number),
  async handle({ number, method }, work, { head }) {
    return pullRecord(await mergePull(work, { number, method, head }), await readViewer(work));
  },
  afterwards: {
    waitMs: 60_000,
    async read(answer, work) {
      return pullRecord(await readMerge(work, answer.number ?? 0), await readViewer(work));
    },
  },
});
