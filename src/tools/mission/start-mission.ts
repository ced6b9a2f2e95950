import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { profiles } from "../../contract/words.ts";
import { startMission } from "../../domain/workflow/brief-operations.ts";
import { defineTool } from "../define.ts";
import { Name, Time, timeOf } from "./voice/answer.ts";

export default defineTool({
  name: "start_mission",
  family: "mission",
  title: "Start a mission",
  summary: "Start a mission: work in several phases, with evidence from git at the end of each task.",
  guidance: "Then call start_task for each task; a phase is created when it is first named.",
  keywords: "long work phases begin",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    name: Name.describe("A short name."),
    objective: z.string().trim().min(1).max(20_000).describe("A goal that can be measured."),
    description: z.string().max(50_000).optional().describe("More about it."),
    profile: z.enum(profiles).default("standard").describe("simple expects 2 phases, standard 3, complex 4."),
    total_phases: z.number().int().min(1).max(20).optional().describe("How many phases are expected."),
    scope: z.string().max(20_000).optional().describe("What belongs to it and what does not."),
    constraints: z.string().max(20_000).optional().describe("What must be kept to."),
  }),
  output: z.object({ mission_id: WorkflowId, profile: z.string(), total_phases: z.number().int(), created_at: Time }),
  refusals: [],
  examples: [{ title: "three phases", input: { name: "Sign-in", objective: "People can sign in with passkeys." } }],
  async handle(input, work) {
    const { workflow, brief } = await startMission(work, {
      name: input.name,
      objective: input.objective,
      description: input.description ?? null,
      scope: input.scope ?? null,
      constraints: input.constraints ?? null,
      profile: input.profile,
      totalPhases: input.total_phases,
      repositoryPath: null,
      isLegacy: false,
    });
    return {
      mission_id: workflow.id,
      profile: brief.profile.toUpperCase(),
      total_phases: brief.totalPhases,
      created_at: timeOf(workflow.createdAt),
    };
  },
});
