import { z } from "zod";
import { FindingId, TaskId } from "../../../contract/ids.ts";
import { aimOf, planFinding } from "../../../domain/context/finding-operations.ts";
import { findFinding } from "../../../domain/finding/queries.ts";
import { defineTool } from "../../define.ts";
import { aimFrom, lookForLike } from "../../team/work-aim.ts";
import { confirmation, PlanRecord, planRecord } from "../voice/plan.ts";

export default defineTool({
  name: "finding_plan",
  family: "person",
  title: "Plan a fix",
  summary: "Plan a task that fixes a security finding; completing the task closes the finding.",
  effect: "create",
  callers: ["agent"],
  input: z.object({ id: FindingId.describe("The finding's record id."), ...confirmation }),
  output: PlanRecord.extend({ task_id: TaskId.nullable() }),
  refusals: ["NOT_FOUND", "INVALID_STATE", "INVALID_INPUT"],
  examples: [{ title: "fix it", input: { id: "$finding" } }],
  async observe({ id }, look) {
    const finding = await look.read((db) => findFinding(db, id));
    return lookForLike(look, finding ? aimOf(finding) : aimFrom("task", { title: "" }));
  },
  async handle({ id, confirm: isConfirmed, confirmation_reason: reason }, work, like) {
    const planned = await planFinding(work, { id, isConfirmed, reason }, like);
    const record = await planRecord(work, planned);
    return { ...record, task_id: planned.kind === "task" ? planned.planned.task.id : null };
  },
});
