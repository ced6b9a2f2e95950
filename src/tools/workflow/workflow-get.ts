import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import { listDependencyNames } from "../../domain/task/graph-queries.ts";
import type { Task } from "../../domain/task/model.ts";
import { listTasks } from "../../domain/task/queries.ts";
import { concealTask, getSeenWorkflow } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { taskBrief, WorkflowRecord, workflowRecord } from "./voice/work.ts";

export default defineTool({
  name: "workflow_get",
  family: "workflow",
  title: "Get a workflow",
  summary: "Read a workflow, with its tasks when asked.",
  keywords: "show details tasks",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    id: WorkflowId.describe("The workflow to read."),
    include_tasks: z.boolean().default(false).describe("Add its tasks, in order."),
    include_task_summaries: z.boolean().default(true).describe("Include the outcome of each task."),
  }),
  output: WorkflowRecord,
  routes: [{ method: "GET", path: "/api/workflows/:id", key: "id", args: { include_tasks: true } }],
  refusals: ["WORKFLOW_NOT_FOUND"],
  examples: [{ title: "with its tasks", input: { id: "$workflow", include_tasks: true } }],
  async handle(input, work) {
    const workflow = await getSeenWorkflow(work, input.id);
    if (!input.include_tasks) return workflowRecord(workflow);
    const viewer = await readViewer(work);
    const tasks = (await listTasks(work.db, workflow.id, 10_000)).map((task) => concealTask(task, viewer, workflow));
    const names = await listDependencyNames(work.db, workflow.id);
    const withSummary = input.include_task_summaries;
    const brief = (task: Task) => taskBrief(task, { dependsOn: names.get(task.id) ?? [], withSummary });
    return { ...workflowRecord(workflow), tasks: tasks.map(brief) };
  },
});
