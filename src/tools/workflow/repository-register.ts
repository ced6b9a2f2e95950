import { z } from "zod";
import { RepositoryId } from "../../contract/ids.ts";
import { registerRepository } from "../../domain/project/operations.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "repository_register",
  family: "workflow",
  title: "Register a repository",
  summary: "Make a repository known to the team.",
  guidance: "Registering the same path again answers the same id.",
  keywords: "add new repo",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    path: z.string().min(1).max(4096).describe("The absolute path of its top folder."),
    name: z.string().trim().min(1).max(200).optional().describe("A friendly name; the folder's name if left out."),
  }),
  output: z.object({ id: RepositoryId }),
  refusals: ["INVALID_INPUT", "FORBIDDEN"],
  examples: [{ title: "with a name", input: { path: "/srv/code/shop", name: "Shop" } }],
  async handle(input, work) {
    const { id } = await registerRepository(work, { path: input.path, name: input.name });
    return { id };
  },
});
