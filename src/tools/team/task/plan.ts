import { z } from "zod";
import { planWork } from "../../../domain/overlap/work-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayPlanned } from "../voice/plan.ts";
import { WorkstreamRef } from "../voice/words.ts";
import { aboutWork, Priority, TargetFiles, TaskType } from "../voice/work-words.ts";
import { aimFrom, lookForLike } from "../work-aim.ts";

export default defineTool({
  name: "plan",
  family: "team",
  title: "Plan a task",
  summary: "Log a task for later; overlap is told, and kept as a warning.",
  keywords: "create add new log task todo backlog ticket later",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    ...aboutWork,
    task_type: TaskType,
    priority: Priority.optional(),
    target_files: TargetFiles.optional(),
    workstream_id: WorkstreamRef.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    {
      title: "for later",
      input: { title: "Print boarding passes in large type", task_type: "feature", session_id: "$session" },
    },
  ],
  observe: (input, look) => lookForLike(look, aimFrom("task", input)),
  async handle(input, work, like) {
    const planned = await planWork(work, { aim: aimFrom("task", input), workstreamId: input.workstream_id }, like);
    return sayPlanned(work, planned);
  },
});
