import { z } from "zod";
import { startTask } from "../../../domain/overlap/start-operations.ts";
import { defineTool } from "../../define.ts";
import { teamAnswerWith } from "../voice/answer.ts";
import { sayBlocked } from "../voice/gate.ts";
import { sayTaskStarted } from "../voice/start.ts";
import { WorkstreamRef } from "../voice/words.ts";
import { aboutWork, Priority, startKeys, TargetFiles, TaskType } from "../voice/work-words.ts";
import { aimFrom, keysFrom, lookForLike } from "../work-aim.ts";

export default defineTool({
  name: "start",
  family: "team",
  title: "Start a task",
  summary: "Begin a task that was checked; the gate stays shut while possible duplicates are not judged.",
  keywords: "begin work now take on",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    ...aboutWork,
    task_type: TaskType,
    priority: Priority.optional(),
    target_files: TargetFiles.optional(),
    workstream_id: WorkstreamRef.optional(),
    ...startKeys,
  }),
  output: teamAnswerWith<{ task_id?: string }>(),
  refusals: ["SESSION_NOT_FOUND", "WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [
    { title: "after a check", input: { title: "$checked_task", task_type: "feature", session_id: "$session" } },
  ],
  observe: (input, look) => lookForLike(look, aimFrom("task", input)),
  async handle(input, work, like) {
    const ask = { aim: aimFrom("task", input), keys: keysFrom(input), workstreamId: input.workstream_id };
    const started = await startTask(work, ask, like);
    return started.kind === "started"
      ? sayTaskStarted(work, started)
      : sayBlocked(work, { kind: "task", plannedId: null, taskType: input.task_type }, started);
  },
});
