import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { checkMayVerify, verifyReceipt } from "../../../domain/evidence/verify-operations.ts";
import { defineTool } from "../../define.ts";
import { VerifiedRecord, verifiedRecord } from "../../mission/voice/receipt.ts";

export default defineTool({
  name: "task_verify",
  family: "person",
  title: "Verify a task's receipt",
  summary: "See whether the files a task changed are still as its receipt says; runs nothing unless asked to.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    run_checks: z.boolean().default(false).describe("Run the repository's allowed checks again, on the tree as it is."),
  }),
  output: VerifiedRecord,
  refusals: ["NOT_FOUND", "INVALID_STATE", "GIT_ERROR", "FORBIDDEN"],
  examples: [{ title: "are its files still the same", input: { task_id: "$ended_task" } }],
  limits: { timeoutMs: 30 * 60_000 },
  async observe({ task_id, run_checks }, look) {
    await look.read((db) => checkMayVerify(db, task_id, look.caller));
    return verifyReceipt(look, task_id, { runsChecks: run_checks });
  },
  handle: async (_input, _work, verified) => verifiedRecord(verified),
});
