import { z } from "zod";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { lookAtPull } from "../../../domain/pull/operations.ts";
import { listComments } from "../../../domain/pull/queries.ts";
import { defineTool } from "../../define.ts";
import { commentRecords, currentRecord, PullDetail, PullNumber, pullRecord } from "../voice/pull.ts";

export default defineTool({
  name: "pull_get",
  family: "person",
  title: "Show a pull request",
  summary: "Show a local pull request: its branch, commits, files, conflicts with its base, and comments.",
  effect: "read",
  callers: ["person"],
  input: z.object({ number: PullNumber }),
  output: PullDetail,
  routes: [{ method: "GET", path: "/api/pulls/:id", key: "number" }],
  refusals: ["NOT_FOUND"],
  examples: [{ title: "the first one", input: { number: 1 } }],
  observe: ({ number }, look) => lookAtPull(look, number),
  async handle(_input, work, { pull, comparison }) {
    const viewer = await readViewer(work);
    return {
      ...pullRecord(pull, viewer),
      current: comparison && currentRecord(comparison),
      comments: commentRecords(await listComments(work.db, pull.id), viewer),
    };
  },
});
