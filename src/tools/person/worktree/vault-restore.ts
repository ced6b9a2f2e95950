import { z } from "zod";
import { VaultId } from "../../../contract/ids.ts";
import { checkRestoreGround, getOwnCopy, requestRestore } from "../../../domain/worktree/vault-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "vault_restore",
  family: "person",
  title: "Restore a stored worktree",
  summary: "Put a removed worktree back: its commits, its index and its files, byte for byte.",
  guidance: "It becomes a worktree again, on its branch if that has not moved. The copy stays in the vault.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    id: VaultId.describe("The copy, as vault_list shows it."),
    to: z.string().min(1).max(4_096).optional().describe("An absolute path; where it was if left out."),
  }),
  output: z.object({
    id: VaultId,
    path: z.string().describe("Where it was put, or would have been."),
    restored: z.boolean(),
    problem: z.string().nullable(),
  }),
  refusals: [
    "NOT_FOUND",
    "FORBIDDEN",
    "INVALID_INPUT",
    "INVALID_STATE",
    "CONFLICT",
    "REPOSITORY_NOT_FOUND",
    "GIT_ERROR",
    "CAPABILITY_MISSING",
  ],
  examples: [{ title: "to a new place", input: { id: "$vault", to: "$folder" } }],
  observe: (input, look) => checkRestoreGround(look, { id: input.id, path: input.to }),
  async handle(input, work, ground) {
    await requestRestore(work, { id: input.id, ground });
    return { id: input.id, path: ground.path, restored: false, problem: null };
  },
  afterwards: {
    waitMs: 60_000,
    async read(answer, work) {
      const entry = await getOwnCopy(work, VaultId.parse(answer.id));
      return { ...answer, restored: entry.restoredTo !== null, problem: entry.problem };
    },
  },
});
