import { z } from "zod";
import { TaskId, WorkflowId } from "../../../contract/ids.ts";
import { planAsPerson } from "../../../domain/overlap/work-operations.ts";
import { defineTool } from "../../define.ts";
import { WorkstreamRef } from "../../team/voice/words.ts";
import { taskRecord } from "../../team/voice/work.ts";
import { aboutWork, Priority, TargetFiles, TaskType } from "../../team/voice/work-words.ts";
import { aimFrom, lookForLike } from "../../team/work-aim.ts";
import { confirmation, PlanRecord, plannedWork, planRecord } from "../voice/plan.ts";

const { session_id: _none, ...about } = aboutWork;

export default defineTool({
  name: "task_plan",
  family: "person",
  title: "Plan a task",
  summary: "Log a task for later as a person; where work like it is known, nothing happens until you confirm.",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    ...about,
    task_type: TaskType,
    priority: Priority.optional(),
    target_files: TargetFiles.optional(),
    workstream_id: WorkstreamRef.optional(),
    ...confirmation,
  }),
  output: PlanRecord.extend({
    task_id: TaskId.nullable(),
    workstream_id: WorkflowId.nullable(),
    task: plannedWork<ReturnType<typeof taskRecord>>(),
  }),
  routes: [{ method: "POST", path: "/api/tasks" }],
  refusals: ["INVALID_INPUT", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "for later", input: { title: "Print boarding passes in large type", task_type: "feature" } }],
  observe: (input, look) => lookForLike(look, aimFrom("task", input)),
  async handle(input, work, like) {
    const { workstream_id: workstreamId, confirm: isConfirmed, confirmation_reason: reason } = input;
    const ask = { aim: aimFrom("task", input), workstreamId, isConfirmed, reason };
    const planned = await planAsPerson(work, ask, like);
    const record = await planRecord(work, planned);
    if (planned.kind !== "task") return { ...record, task_id: null, workstream_id: null, task: null };
    return {
      ...record,
      task_id: planned.planned.task.id,
      workstream_id: planned.workstreamId,
      task: taskRecord(planned.planned),
    };
  },
});
