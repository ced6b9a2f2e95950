import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { createWorkflow } from "../../domain/workflow/operations.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "workflow_create",
  family: "workflow",
  title: "Create a workflow",
  summary: "Begin a piece of work that several tasks and agents share.",
  guidance: "Then add its tasks with workflow_set_plan.",
  keywords: "new shared work several agents",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    name: z.string().trim().min(1).max(200).describe("What it is called."),
    source_type: z.enum(["prompt", "github_issue", "linear", "jira", "custom"]).describe("Source of the request."),
    source_ref: z.string().max(2_000).optional().describe("Its address or identifier."),
    source_content: z.string().min(1).max(200_000).describe("The request, word for word."),
    repository_path: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe("Absolute; the folder you work in when left out."),
    max_parallel_tasks: z.number().int().min(1).max(1_000).default(1).describe("How many tasks may run at once."),
    auto_create_workspaces: z.boolean().default(false).describe("Give parallel tasks worktrees of their own."),
  }),
  output: z.object({
    id: WorkflowId,
    name: z.string(),
    status: z.literal("planning"),
    max_parallel_tasks: z.number().int(),
  }),
  refusals: ["INVALID_INPUT"],
  examples: [
    {
      title: "from a prompt",
      input: { name: "Dark mode", source_type: "prompt", source_content: "Add a dark mode to the settings page." },
    },
  ],
  async handle(input, work) {
    const workflow = await createWorkflow(work, {
      kind: "workflow",
      name: input.name,
      sourceType: input.source_type,
      sourceRef: input.source_ref ?? null,
      sourceContent: input.source_content,
      repositoryPath: input.repository_path ?? work.folder ?? null,
      maxParallel: input.max_parallel_tasks,
      makesWorktrees: input.auto_create_workspaces,
    });
    const { id, name, maxParallel } = workflow;
    return { id, name, status: "planning" as const, max_parallel_tasks: maxParallel };
  },
});
