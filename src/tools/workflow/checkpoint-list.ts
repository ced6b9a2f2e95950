import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { noteKinds } from "../../contract/words.ts";
import { listNotes } from "../../domain/note/queries.ts";
import { concealNotes } from "../../domain/note/sight-operations.ts";
import { getSeenTask } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { CheckpointRecord, checkpointRecord } from "./voice/work.ts";

export default defineTool({
  name: "checkpoint_list",
  family: "workflow",
  title: "List checkpoints",
  summary: "List a task's checkpoints, oldest first.",
  keywords: "history notes progress of a task",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task."),
    type: z.array(z.enum(noteKinds)).min(1).max(10).optional().describe("Only these kinds."),
    since_sequence: z.number().int().min(0).optional().describe("Only after this one."),
    limit: z.number().int().min(1).max(1_000).default(1_000).describe("At most this many."),
  }),
  output: z.object({ checkpoints: z.array(CheckpointRecord) }),
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "everything", input: { task_id: "$task" } }],
  async handle(input, work) {
    const task = await getSeenTask(work, input.task_id);
    const notes = await listNotes(work.db, {
      taskId: input.task_id,
      kinds: input.type,
      after: input.since_sequence,
      limit: input.limit,
    });
    return { checkpoints: (await concealNotes(work, notes, task)).map(checkpointRecord) };
  },
});
