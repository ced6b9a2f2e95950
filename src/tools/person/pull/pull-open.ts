import { z } from "zod";
import { PullId } from "../../../contract/ids.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { openPull, readOpening, surveyFor } from "../../../domain/pull/operations.ts";
import { defineTool } from "../../define.ts";
import { openRefusals, PullRecord, pullRecord } from "../voice/pull.ts";

const Branch = z.string().min(1).max(250);

export default defineTool({
  name: "pull_open",
  family: "person",
  title: "Open a pull request",
  summary: "Open a pull request for a branch: on GitHub where the repository is kept there, else a local one.",
  guidance: "A second one for the same branch is the open one again, with what was committed since.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    repository: z.string().min(1).max(4_096).describe("The repository's folder, or a worktree of it; absolute."),
    branch: Branch.describe("The branch to merge."),
    base_branch: Branch.optional().describe("The branch to merge it into; the repository's default if left out."),
    title: z.string().trim().min(1).max(256).describe("What it does, in a line."),
    description: z.string().max(60_000).default("").describe("What a reviewer should know."),
  }),
  output: z.object({ id: PullId, pull: PullRecord }),
  refusals: [...openRefusals],
  examples: [
    {
      title: "into the default branch",
      input: { repository: "$branched", branch: "work/login", title: "Add a login page" },
    },
  ],
  observe: (input, look) =>
    surveyFor(look, {
      repositoryPath: input.repository,
      branch: input.branch,
      base: input.base_branch ?? null,
      ownBase: null,
    }),
  async handle(input, work, { survey, page }) {
    const { title, description } = input;
    const pull = await openPull(work, { survey, page, title, description, agentId: null });
    return { id: pull.id, pull: pullRecord(pull, await readViewer(work)) };
  },
  afterwards: {
    waitMs: 60_000,
    async read(answer, work) {
      const pull = await readOpening(work, PullId.parse(answer.id));
      return { id: pull.id, pull: pullRecord(pull, await readViewer(work)) };
    },
  },
});
