import { z } from "zod";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import { countRepositories, listRepositories } from "../../domain/project/queries.ts";
import { defineTool } from "../define.ts";
import { RepositoryRecord, repositoryRecord } from "./voice/answer.ts";

export default defineTool({
  name: "repository_list",
  family: "workflow",
  title: "List repositories",
  summary: "See the repositories the team has registered, newest first.",
  keywords: "all known repos",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    limit: z.number().int().min(1).max(500).default(50).describe("At most this many."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({ repositories: z.array(RepositoryRecord), total: z.number().int() }),
  refusals: [],
  examples: [{ title: "the first page", input: {} }],
  async handle(input, work) {
    const except = (await readViewer(work)).listHidden();
    const repositories = await listRepositories(work.db, { ...input, except });
    return { repositories: repositories.map(repositoryRecord), total: await countRepositories(work.db, { except }) };
  },
});
