import { z } from "zod";
import { defineTool } from "../define.ts";
import { WorkstreamRef } from "../team/words.ts";
import { aimFrom, lookForLike } from "../team/work-aim.ts";
import { aboutWork, Priority, TargetFiles, TaskType } from "../team/work-words.ts";
import { confirmation, PlanRecord, planAsked, tellPlan } from "./plan-voice.ts";

const { session_id: _none, ...about } = aboutWork;

export default defineTool({
  name: "task_plan",
  family: "house",
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
  output: PlanRecord,
  refusals: ["INVALID_INPUT", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "for later", input: { title: "Print boarding passes in large type", task_type: "feature" } }],
  observe: (input, look) => lookForLike(look, aimFrom("task", input)),
  async handle(input, work, like) {
    const ask = { aim: aimFrom("task", input), workstreamId: input.workstream_id };
    return tellPlan(work, await planAsked(work, ask, like, input), input.confirmation_reason);
  },
});
