import { z } from "zod";
import { collectGarbage } from "../../domain/artifact/clean-operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { CleanAnswer, cleanAnswer } from "./voice/indexes.ts";

export default defineTool({
  name: "cache_gc",
  family: "index",
  title: "Free index space",
  summary: "Remove search indexes that are too old or too large; without a limit it only reports.",
  guidance: "It touches this repository's index and those whose repository is gone. Try it with dryRun first.",
  keywords: "garbage collect cache size quota disk space old indexes purge",
  effect: "destroy",
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    dryRun: z.boolean().default(false).describe("Only list what would be removed."),
    maxBytes: z.number().min(0).optional().describe("The most that all indexes may take."),
    maxGb: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe("The same in gigabytes; the smaller of the two counts."),
    maxAgeDays: z.number().min(0).max(100_000).optional().describe("Remove indexes built longer ago."),
  }),
  output: CleanAnswer,
  refusals: ["INVALID_REQUEST", "FORBIDDEN"],
  examples: [{ title: "what a limit would remove", input: { repoPath: "$indexed", dryRun: true, maxGb: 1 } }],
  async observe({ repoPath, dryRun: isDry, maxBytes, maxGb, maxAgeDays }, look) {
    const repository = await locateRepository(look, repoPath);
    const asked = [maxBytes, maxGb === undefined ? undefined : maxGb * 1_000_000_000].filter(
      (one) => one !== undefined,
    );
    const limits = { maxBytes: asked.length === 0 ? undefined : Math.min(...asked), maxAgeDays };
    return { root: repository.root, cleaned: await collectGarbage(look, repository, { limits, isDry }) };
  },
  async handle({ dryRun }, _work, { root, cleaned }) {
    return cleanAnswer(root, dryRun, cleaned);
  },
});
