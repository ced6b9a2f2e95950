import { z } from "zod";
import { PullId } from "../../contract/ids.ts";
import { enterInstance } from "../../domain/instance/operations.ts";
import { lookAtWork } from "../../domain/pull/instance-operations.ts";
import { openForInstance, readOpening } from "../../domain/pull/operations.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "create_pull_request",
  aliases: ["create_pr"],
  family: "review",
  title: "Create a pull request",
  summary: "Open a pull request for your committed work; for a reviewer, approve the work under review.",
  guidance:
    "Commit everything first. On GitHub the branch is pushed, never forced; without a code host people decide it in Crewdeck. A second call for the same branch answers the open one.",
  keywords: "open pr merge request approve push github submit finished work",
  effect: "create",
  callers: ["agent"],
  isNamedInRefusals: true,
  input: z.object({
    title: z.string().trim().min(1).max(256).describe("What it does, in a line."),
    description: z.string().max(60_000).describe("What changed, why, and how it was checked."),
    base_branch: z
      .string()
      .min(1)
      .max(250)
      .optional()
      .describe("The branch to merge into; your own base, else the default branch, if left out."),
  }),
  output: z.object({
    pr_number: z.number().int(),
    pr_url: z.string(),
    branch_name: z.string(),
    pull_id: PullId,
  }),
  refusals: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "INVALID_REQUEST",
    "INVALID_STATE",
    "CONFLICT",
    "GIT_ERROR",
    "TOOL_TIMEOUT",
    "GITHUB_AUTH_FAILED",
    "GITHUB_PERMISSION_DENIED",
    "GITHUB_REPOSITORY_NOT_FOUND",
    "GITHUB_API_ERROR",
    "GITHUB_RATE_LIMIT_EXCEEDED",
    "GITHUB_NETWORK_ERROR",
  ],
  examples: [
    {
      title: "into your own base",
      from: "coding",
      input: { title: "Add a login page", description: "Adds /login with a form; tests cover the empty password." },
    },
  ],
  observe: (input, look) => lookAtWork(look, input.base_branch ?? null),
  enter: (_input, work, { sighting }) => enterInstance(work, sighting),
  async handle({ title, description }, work, seen) {
    const pull = await openForInstance(work, { seen, title, description });
    return { pr_number: 0, pr_url: "", branch_name: pull.branch, pull_id: pull.id };
  },
  afterwards: {
    waitMs: 90_000,
    async read(answer, work) {
      const { id, number, url, branch } = await readOpening(work, PullId.parse(answer.pull_id));
      return { pr_number: number ?? 0, pr_url: url ?? "", branch_name: branch, pull_id: id };
    },
  },
});
