import { z } from "zod";
import { AgentId, WorkflowId } from "../../contract/ids.ts";
import { listNamesBefore } from "../../domain/task/graph-queries.ts";
import { listTasksFor } from "../../domain/task/operations.ts";
import { getSeenWorkflow } from "../../domain/task/sight-operations.ts";
import { defineTool } from "../define.ts";
import { FullTask, taskRecord } from "./voice/work.ts";

export default defineTool({
  name: "task_get_available",
  family: "workflow",
  title: "Get available tasks",
  summary: "List the free tasks that an agent can take now, by its capabilities.",
  guidance: "Take one with task_claim.",
  keywords: "free open find work match skills capabilities what can i do",
  effect: "read",
  actor: { key: "agent_id" },
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.optional().describe("Only of this workflow."),
    agent_id: AgentId.describe("Your agent id."),
    limit: z.number().int().min(1).max(100).default(20).describe("At most this many."),
  }),
  output: z.object({ tasks: z.array(FullTask) }),
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN", "WORKFLOW_NOT_FOUND"],
  examples: [{ title: "anything", input: { agent_id: "$agent" } }],
  async handle(input, work) {
    if (input.workflow_id !== undefined) await getSeenWorkflow(work, input.workflow_id);
    const tasks = await listTasksFor(work, {
      agentId: input.agent_id,
      workflowId: input.workflow_id,
      limit: input.limit,
    });
    const before = await listNamesBefore(
      work.db,
      tasks.map(({ id }) => id),
    );
    return { tasks: tasks.map((task) => ({ ...taskRecord(task), depends_on: [...(before.get(task.id) ?? [])] })) };
  },
});
