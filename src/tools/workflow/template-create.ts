import { z } from "zod";
import { TemplateId, WorkflowId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { createTemplate } from "../../domain/template/operations.ts";
import { defineTool } from "../define.ts";
import { Names } from "./voice/work.ts";

const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,60}$/, "letters, digits and underscores");

export default defineTool({
  name: "template_create",
  family: "workflow",
  title: "Create a template",
  summary: "Save a plan for reuse, from a workflow or written out.",
  guidance: "Write {{name}} where a value goes; every name must get a value when the template is applied.",
  keywords: "save reuse plan later recipe",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    name: z.string().trim().min(1).max(200).describe("Unique."),
    description: z.string().max(5_000).optional().describe("What it is good for."),
    from_workflow_id: WorkflowId.optional().describe("Take the tasks of this workflow."),
    template: z
      .strictObject({
        tasks: z
          .array(
            z.strictObject({
              name: z.string().trim().min(1).max(200).describe("Unique within the template."),
              description: z.string().max(20_000).describe("What to do."),
              sequence: z.number().int().min(0).max(1_000_000).describe("Orders the tasks."),
              parallel_group: z.string().trim().min(1).max(100).optional().describe("Tasks that may run side by side."),
              depends_on: Names.default([]).describe("Names of tasks that come first."),
            }),
          )
          .min(1)
          .max(1_000)
          .describe("Every task of it."),
        variables: z
          .array(
            z.strictObject({
              name: VariableName.describe("As it stands between the braces."),
              description: z.string().max(1_000).describe("What it is."),
              required: z.boolean().describe("Whether it must be given."),
              default: z.string().max(5_000).optional().describe("Used when it is not given."),
            }),
          )
          .max(100)
          .default([])
          .describe("What can be filled in."),
      })
      .optional()
      .describe("The template written out."),
  }),
  output: z.object({ id: TemplateId }),
  refusals: [
    "INVALID_INPUT",
    "INVALID_STATE",
    "WORKFLOW_NOT_FOUND",
    "DUPLICATE_TEMPLATE",
    "DUPLICATE_TASK_NAME",
    "SELF_DEPENDENCY",
    "UNKNOWN_DEPENDENCY",
    "TOO_LARGE",
  ],
  examples: [
    {
      title: "one step",
      input: {
        name: "Release",
        template: { tasks: [{ name: "Release {{version}}", description: "Tag it.", sequence: 1 }] },
      },
    },
  ],
  async handle(input, work) {
    const { from_workflow_id: workflowId, template } = input;
    if ((workflowId === undefined) === (template === undefined)) {
      throw new Refusal(
        "INVALID_INPUT",
        "A template comes from a workflow or is written out: pass exactly one of the two.",
      );
    }
    const from = template
      ? {
          variables: template.variables,
          tasks: template.tasks.map((task) => ({
            name: task.name,
            description: task.description,
            sequence: task.sequence,
            parallelGroup: task.parallel_group ?? null,
            dependsOn: task.depends_on,
            complexity: null,
            files: [],
            capabilities: [],
          })),
        }
      : WorkflowId.parse(workflowId);
    const { id } = await createTemplate(work, { name: input.name, description: input.description ?? null, from });
    return { id };
  },
});
