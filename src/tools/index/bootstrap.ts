import { z } from "zod";
import { bootstrapRepository } from "../../domain/artifact/bootstrap-operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";

const skip = (what: string) => z.boolean().default(false).describe(`Skip ${what}.`);

export default defineTool({
  name: "bootstrap",
  family: "index",
  title: "Set up search",
  summary: "Set up search for a repository in one call: dictionary, checks, index and, if you want, a SQLite copy.",
  guidance: "Read steps: each says whether it was done, skipped or failed, and why.",
  keywords: "first time setup prepare everything initialize search index repository onboarding",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  limits: { timeoutMs: 10 * 60_000 },
  input: z.object({
    repoPath: RepoPath,
    skipInstall: skip("installing packages"),
    skipDicts: skip("dictionaries"),
    skipIndex: skip("the index"),
    skipArtifacts: skip("restoring artifacts"),
    skipTooling: skip("looking at extensions and tools"),
    withSqlite: z.boolean().default(false).describe("Also write a SQLite copy."),
    incremental: z.boolean().default(true).describe("False reads every file again."),
  }),
  output: z.object({
    repoPath: z.string(),
    ok: z.boolean().describe("No step failed."),
    steps: z.array(z.object({ name: z.string(), status: z.enum(["done", "skipped", "failed"]), message: z.string() })),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN"],
  examples: [{ title: "a new repository", input: { repoPath: "$checkout", withSqlite: true } }],
  async observe({ repoPath, incremental: isIncremental, ...ask }, look) {
    const repository = await locateRepository(look, repoPath);
    return { root: repository.root, steps: await bootstrapRepository(look, repository, { ...ask, isIncremental }) };
  },
  async handle(_input, _work, { root, steps }) {
    return { repoPath: root, ok: steps.every(({ status }) => status !== "failed"), steps };
  },
});
