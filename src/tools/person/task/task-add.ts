import { z } from "zod";
import { TaskId, WorkflowId } from "../../../contract/ids.ts";
import { addToPlan } from "../../../domain/task/edit-operations.ts";
import { defineTool } from "../../define.ts";
import { Names } from "../../workflow/voice/work.ts";

export default defineTool({
  name: "task_add",
  family: "person",
  title: "Add a task to a plan",
  summary: "Put one more task into a workflow that has its plan already.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    workflow_id: WorkflowId.describe("The workflow."),
    name: z.string().trim().min(1).max(200).describe("Unique within the plan."),
    description: z.string().max(20_000).default("").describe("What to do."),
    sequence: z.number().int().min(0).max(1_000_000).describe("Its place in the order."),
    depends_on: Names.default([]).describe("Names of tasks that come first."),
  }),
  output: z.object({ id: TaskId }),
  refusals: ["WORKFLOW_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "DUPLICATE_TASK_NAME", "UNKNOWN_DEPENDENCY"],
  examples: [
    { title: "at the end", input: { workflow_id: "$workflow", name: "Tell the users", sequence: 99, depends_on: [] } },
  ],
  async handle(input, work) {
    const { id } = await addToPlan(work, {
      workflowId: input.workflow_id,
      name: input.name,
      description: input.description,
      sequence: input.sequence,
      dependsOn: input.depends_on,
    });
    return { id };
  },
});
