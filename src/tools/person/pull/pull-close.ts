import { z } from "zod";
import { closePull } from "../../../domain/pull/operations.ts";
import { defineTool } from "../../define.ts";
import { PullNumber } from "../voice/pull.ts";

export default defineTool({
  name: "pull_close",
  family: "person",
  title: "Close a pull request",
  summary: "Close a local pull request without merging it; its branch stays as it is.",
  effect: "change",
  callers: ["person"],
  input: z.object({ number: PullNumber }),
  output: z.object({ number: PullNumber, status: z.literal("closed") }),
  routes: [{ method: "POST", path: "/api/pulls/:id/close", key: "number" }],
  refusals: ["NOT_FOUND", "INVALID_STATE"],
  examples: [{ title: "not wanted", input: { number: 1 } }],
  async handle({ number }, work) {
    await closePull(work, number);
    return { number, status: "closed" as const };
  },
});
