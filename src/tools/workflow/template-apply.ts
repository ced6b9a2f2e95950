import { z } from "zod";
import { TemplateId, WorkflowId } from "../../contract/ids.ts";
import { applyTemplate, findTemplateFiles } from "../../domain/template/operations.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "template_apply",
  family: "workflow",
  title: "Apply a template",
  summary: "Create a workflow, planned and ready, from a template.",
  keywords: "use from template new workflow",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    template_id: TemplateId.describe("As template_list shows it."),
    workflow_name: z.string().trim().min(1).max(200).describe("What the workflow is called."),
    variables: z.record(z.string(), z.string().max(5_000)).default({}).describe("A value for each name."),
    repository_path: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe("Absolute; the folder you work in when left out."),
    max_parallel_tasks: z.number().int().min(1).max(1_000).default(1).describe("How many tasks may run at once."),
  }),
  output: z.object({ workflow_id: WorkflowId }),
  refusals: [
    "TEMPLATE_NOT_FOUND",
    "MISSING_VARIABLES",
    "INVALID_INPUT",
    "TOO_LARGE",
    "DUPLICATE_TASK_NAME",
    "SELF_DEPENDENCY",
    "UNKNOWN_DEPENDENCY",
  ],
  examples: [
    {
      title: "a bug fix",
      input: { template_id: "builtin:bugfix", workflow_name: "Login fails", variables: { bug: "the failing login" } },
    },
  ],
  observe: (_input, look) => findTemplateFiles(look),
  async handle(input, work, inFiles) {
    const workflow = await applyTemplate(work, {
      templateId: input.template_id,
      name: input.workflow_name,
      variables: input.variables,
      repositoryPath: input.repository_path ?? work.folder ?? null,
      maxParallel: input.max_parallel_tasks,
      inFiles,
    });
    return { workflow_id: workflow.id };
  },
});
