import { z } from "zod";
import { findRepository } from "../../domain/project/operations.ts";
import { defineTool } from "../define.ts";
import { RepositoryRecord, repositoryRecord } from "./voice/answer.ts";

export default defineTool({
  name: "repository_get",
  family: "workflow",
  title: "Get a repository",
  summary: "Look a repository up by its path; null when it is not registered.",
  keywords: "look up repo path registered",
  effect: "read",
  callers: ["agent"],
  input: z.object({ path: z.string().min(1).max(4096).describe("The absolute path of its top folder.") }),
  output: RepositoryRecord.nullable(),
  refusals: ["INVALID_INPUT"],
  examples: [
    { title: "a registered one", input: { path: "$repository" } },
    { title: "an unknown path", input: { path: "/srv/code/nothing-here" } },
  ],
  async handle({ path }, work) {
    const repository = await findRepository(work, path);
    return repository ? repositoryRecord(repository) : null;
  },
});
