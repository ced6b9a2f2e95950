import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { startMission } from "../../domain/workflow/brief-operations.ts";
import { defineTool } from "../define.ts";
import { Name, Time, timeOf } from "./voice/answer.ts";

export default defineTool({
  name: "start_workflow",
  family: "mission",
  title: "Start a workflow (older form)",
  summary: "Start a workflow without phases, for older clients; it ends with its last task.",
  guidance: "Use start_mission for new work.",
  keywords: "without phases simple older",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    name: Name.describe("A short name."),
    description: z.string().max(50_000).optional().describe("More about it."),
    plan: z
      .array(z.strictObject({ step: z.union([z.string().max(500), z.number()]), goal: z.string().max(5_000) }))
      .max(200)
      .optional()
      .describe("The planned steps."),
  }),
  output: z.object({ workflow_id: WorkflowId, created_at: Time }),
  refusals: [],
  examples: [{ title: "a small piece of work", input: { name: "Tidy the parser" } }],
  async handle(input, work) {
    const steps = (input.plan ?? []).map(({ step, goal }) => `${step}: ${goal}`).join("\n");
    const { workflow } = await startMission(work, {
      name: input.name,
      objective: input.description ?? input.name,
      description: steps || (input.description ?? null),
      scope: null,
      constraints: null,
      profile: "simple",
      totalPhases: undefined,
      repositoryPath: null,
      isLegacy: true,
    });
    return { workflow_id: workflow.id, created_at: timeOf(workflow.createdAt) };
  },
});
