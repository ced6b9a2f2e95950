import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { checkWork } from "../../../domain/overlap/work-operations.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer } from "../voice/answer.ts";
import { sayChecked } from "../voice/gate.ts";
import { aboutWork, TargetFiles, TaskType } from "../voice/work-words.ts";
import { aimFrom, lookForLike } from "../work-aim.ts";

export default defineTool({
  name: "check",
  family: "team",
  title: "Check a task",
  summary: "See whether somebody does or did what you are about to begin.",
  keywords: "duplicate overlap similar already exists anybody same work before start",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    ...aboutWork,
    task_type: TaskType.default("feature"),
    target_files: TargetFiles.optional(),
    planned_task_id: TaskId.optional().describe("The planned task that is to be started."),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    {
      title: "before a new task",
      input: {
        title: "Show the seat map on small screens",
        task_type: "feature",
        scope: "The booking page",
        session_id: "$session",
      },
    },
  ],
  observe: (input, look) => lookForLike(look, aimFrom("task", input)),
  async handle(input, work, like) {
    const plannedId = input.planned_task_id ?? null;
    const checked = await checkWork(work, { aim: aimFrom("task", input), plannedId }, like);
    return sayChecked(work, { kind: "task", plannedId, taskType: input.task_type }, checked);
  },
});
