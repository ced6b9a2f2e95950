import { z } from "zod";
import { cleanIndexes } from "../../domain/artifact/clean-operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { CleanAnswer, cleanAnswer } from "./voice/indexes.ts";

export default defineTool({
  name: "clean_artifacts",
  family: "index",
  title: "Delete an index",
  summary: "Delete this repository's search index with its SQLite copy, or those of all repositories.",
  guidance: "Models, dictionaries and extensions stay. Build the index again with build_index.",
  keywords: "delete remove reset index artifacts wipe clean up",
  effect: "destroy",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    all: z.boolean().default(false).describe("Of every repository, not only this one."),
    dryRun: z.boolean().default(false).describe("Only list what would be removed."),
  }),
  output: CleanAnswer,
  refusals: ["INVALID_REQUEST", "FORBIDDEN"],
  examples: [{ title: "one repository", input: { repoPath: "$indexed" } }],
  async observe({ repoPath, all: isAll, dryRun: isDry }, look) {
    const repository = await locateRepository(look, repoPath);
    return { root: repository.root, cleaned: await cleanIndexes(look, repository, { isAll, isDry }) };
  },
  async handle({ dryRun }, _work, { root, cleaned }) {
    return cleanAnswer(root, dryRun, cleaned);
  },
});
