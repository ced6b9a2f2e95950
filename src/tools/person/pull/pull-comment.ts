import { z } from "zod";
import { PullCommentId } from "../../../contract/ids.ts";
import { diffSides } from "../../../contract/words.ts";
import { commentOnPull } from "../../../domain/pull/operations.ts";
import { defineTool } from "../../define.ts";
import { PullNumber } from "../voice/pull.ts";

export default defineTool({
  name: "pull_comment",
  family: "person",
  title: "Comment on a pull request",
  summary: "Comment on a line of a local pull request, on a file or on the whole.",
  guidance: "Comments reach whoever opened it when it is sent back with pull_send_back.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    number: PullNumber,
    body: z.string().trim().min(1).max(20_000).describe("What you have to say."),
    path: z.string().min(1).max(20_000).optional().describe("The file, as the diff names it."),
    line: z.number().int().min(1).max(100_000_000).optional().describe("The line's number on that side."),
    side: z.enum(diffSides).default("new").describe("Before or after the change."),
  }),
  output: z.object({ id: PullCommentId, number: PullNumber }),
  routes: [{ method: "POST", path: "/api/pulls/:id/comments", key: "number" }],
  refusals: ["NOT_FOUND", "INVALID_INPUT"],
  examples: [{ title: "on a line", input: { number: 1, body: "Check for null here.", path: "a.txt", line: 1 } }],
  async handle({ number, body, path, line, side }, work) {
    const comment = await commentOnPull(work, { number, body, path: path ?? null, line: line ?? null, side });
    return { id: comment.id, number };
  },
});
