import { z } from "zod";
import { TaskId } from "../../contract/ids.ts";
import { readResults } from "../../domain/evidence/queries.ts";
import { listNotes } from "../../domain/note/queries.ts";
import { concealNotes } from "../../domain/note/sight-operations.ts";
import { findFootprint } from "../../domain/task/footprint-queries.ts";
import { listDependencies } from "../../domain/task/graph-queries.ts";
import { getSeenTask } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { ResultRecord, resultRecord } from "./voice/result.ts";
import { CheckpointRecord, checkpointRecord, FullTask, taskRecord } from "./voice/work.ts";

export default defineTool({
  name: "task_get",
  family: "workflow",
  title: "Get a task",
  summary: "Read one task: its plan, its state, who holds it, and its checkpoints when asked.",
  keywords: "show state details one",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    id: TaskId.describe("The task to read."),
    include_checkpoints: z.boolean().default(false).describe("Add its checkpoints, oldest first."),
    checkpoint_limit: z.number().int().min(1).max(100_000).optional().describe("Only the newest so many."),
  }),
  output: FullTask.extend({
    result: ResultRecord,
    predicted_files: z
      .array(z.object({ path: z.string(), probability: z.number() }))
      .describe("Files it will most likely touch, if its repository is indexed; an estimate from its text."),
    checkpoints: z.array(CheckpointRecord).optional(),
  }),
  routes: [{ method: "GET", path: "/api/tasks/:id", key: "id", args: { include_checkpoints: true } }],
  refusals: ["TASK_NOT_FOUND"],
  examples: [{ title: "with checkpoints", input: { id: "$task", include_checkpoints: true } }],
  async handle(input, work) {
    const task = await getSeenTask(work, input.id);
    const dependencies = await listDependencies(work.db, task.id);
    const results = await readResults(work.db, [task]);
    const record = {
      ...taskRecord(task),
      depends_on: dependencies.map((dependency) => dependency.name),
      result: resultRecord(results.get(task.id)),
      predicted_files: [...((await findFootprint(work.db, task.id))?.files ?? [])],
    };
    if (!input.include_checkpoints) return record;
    const notes = await listNotes(work.db, { taskId: task.id, limit: input.checkpoint_limit });
    return { ...record, checkpoints: (await concealNotes(work, notes, task)).map(checkpointRecord) };
  },
});
