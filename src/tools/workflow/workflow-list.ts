import { z } from "zod";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import { normaliseRepositoryPath } from "../../domain/project/operations.ts";
import { countTasks } from "../../domain/task/queries.ts";
import { listWorkflows } from "../../domain/workflow/queries.ts";
import { defineTool } from "../define.ts";
import { readWorkflow } from "./voice/words.ts";
import { WorkflowLine, WorkflowStatus, workflowLine } from "./voice/work.ts";

export default defineTool({
  name: "workflow_list",
  family: "workflow",
  title: "List workflows",
  summary: "List workflows, newest first.",
  keywords: "all exist",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    repository_path: z.string().min(1).max(4_096).optional().describe("Only of this repository."),
    status: z.array(WorkflowStatus).min(1).max(8).optional().describe("Only with these statuses."),
    limit: z.number().int().min(1).max(200).default(20).describe("At most this many."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({ workflows: z.array(WorkflowLine), total: z.number().int() }),
  routes: [{ method: "GET", path: "/api/workflows" }],
  refusals: ["INVALID_INPUT"],
  examples: [{ title: "what is under way", input: { status: ["in_progress"] } }],
  async handle(input, work) {
    const { workflows, total } = await listWorkflows(work.db, {
      repositoryPath: input.repository_path === undefined ? undefined : normaliseRepositoryPath(input.repository_path),
      statuses: input.status?.map(readWorkflow),
      limit: input.limit,
      offset: input.offset,
    });
    const viewer = await readViewer(work);
    const counts = await countTasks(
      work.db,
      workflows.map(({ id }) => id),
    );
    return {
      workflows: workflows.map((workflow) => workflowLine(workflow, viewer.of(workflow), counts.get(workflow.id))),
      total,
    };
  },
});
