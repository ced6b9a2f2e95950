import { z } from "zod";
import { listOwnCopies } from "../../../domain/worktree/vault-operations.ts";
import { defineTool } from "../../define.ts";
import { CopyRecord, copyRecord } from "../voice/vault.ts";

export default defineTool({
  name: "vault_list",
  family: "person",
  title: "List stored worktrees",
  summary: "See what was kept of removed worktrees: the owner sees all, others their own.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    include_dropped: z.boolean().default(false).describe("Those too that were let go since."),
    limit: z.number().int().min(1).max(1_000).default(200).describe("At most so many, newest first."),
  }),
  output: z.object({ entries: z.array(CopyRecord) }),
  refusals: ["FORBIDDEN"],
  examples: [{ title: "all that is kept", input: {} }],
  async handle(input, work) {
    const entries = await listOwnCopies(work, { includesDropped: input.include_dropped, limit: input.limit });
    return { entries: entries.map(copyRecord) };
  },
});
