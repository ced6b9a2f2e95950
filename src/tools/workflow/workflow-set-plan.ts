import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { setWorkflowPlan } from "../../domain/task/plan-operations.ts";
import { defineTool } from "../define.ts";
import { Complexity, Names } from "./voice/work.ts";

const Text = z.string().trim().min(1).max(20_000);
const Lines = z.array(z.string().max(5_000)).max(200).default([]);

const PlanTask = z.strictObject({
  name: z.string().trim().min(1).max(200).describe("Unique within the plan."),
  description: z.string().max(20_000).describe("What to do."),
  sequence: z.number().int().min(0).max(1_000_000).describe("Orders the tasks; parallel ones share a number."),
  parallel_group: z.string().trim().min(1).max(100).optional().describe("Tasks that may run side by side."),
  depends_on: Names.default([]).describe("Names of tasks that come first."),
  estimated_complexity: Complexity.optional(),
  files_likely_affected: Names.default([]).describe("Files it will probably touch."),
  required_capabilities: Names.default([]).describe("What an agent must be able to do; none fits everyone."),
});

export default defineTool({
  name: "workflow_set_plan",
  family: "workflow",
  title: "Set a workflow's plan",
  summary: "Set a workflow's tasks and their dependencies: all of them, or none.",
  guidance: "Then workflow_next_tasks shows what is ready, and task_claim takes it.",
  keywords: "break down split into tasks dependencies order add tasks",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    id: WorkflowId.describe("The workflow to plan."),
    plan: z
      .strictObject({
        summary: Text.describe("In a few words."),
        approach: Text.describe("How it will be done."),
        tasks: z.array(PlanTask).min(1).max(10_000).describe("Every task of it."),
        risks: Lines.describe("What may go wrong."),
        assumptions: Lines.describe("What is taken for granted."),
      })
      .describe("The plan."),
  }),
  output: z.object({
    workflow_id: WorkflowId,
    tasks_created: z.number().int(),
    parallelizable_groups: z.number().int(),
    status: z.literal("ready"),
  }),
  refusals: [
    "WORKFLOW_NOT_FOUND",
    "FORBIDDEN",
    "INVALID_STATE",
    "INVALID_INPUT",
    "DUPLICATE_TASK_NAME",
    "SELF_DEPENDENCY",
    "UNKNOWN_DEPENDENCY",
  ],
  examples: [
    {
      title: "two steps",
      input: {
        id: "$unplanned",
        plan: {
          summary: "Two steps",
          approach: "One after the other",
          tasks: [
            { name: "First", description: "Do this.", sequence: 1 },
            { name: "Second", description: "Then that.", sequence: 2, depends_on: ["First"] },
          ],
        },
      },
    },
  ],
  async handle({ id, plan }, work) {
    const { summary, approach, risks, assumptions } = plan;
    const { tasks, groups } = await setWorkflowPlan(work, id, {
      plan: { summary, approach, risks, assumptions },
      items: plan.tasks.map((task) => ({
        name: task.name,
        description: task.description,
        sequence: task.sequence,
        parallelGroup: task.parallel_group ?? null,
        dependsOn: task.depends_on,
        complexity: task.estimated_complexity ?? null,
        files: task.files_likely_affected,
        capabilities: task.required_capabilities,
      })),
    });
    return { workflow_id: id, tasks_created: tasks, parallelizable_groups: groups, status: "ready" as const };
  },
});
