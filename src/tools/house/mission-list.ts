import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { hasOpenIssue } from "../../domain/note/operations.ts";
import { privateName } from "../../domain/person/model.ts";
import { publicHandles } from "../../domain/person/operations.ts";
import { findBrief } from "../../domain/workflow/brief-operations.ts";
import { listWorkflows } from "../../domain/workflow/operations.ts";
import { defineTool } from "../define.ts";
import { missionStatus, Time, timeOf } from "../mission/voice.ts";

export default defineTool({
  name: "mission_list",
  family: "house",
  title: "List missions",
  summary: "See the missions of the team, newest first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    limit: z.number().int().min(1).max(200).default(50).describe("At most this many."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({
    missions: z.array(
      z.object({
        mission_id: WorkflowId,
        name: z.string(),
        status: z.string(),
        current_phase: z.number().int(),
        total_phases: z.number().int(),
        developer: z.string(),
        created_at: Time,
      }),
    ),
    total: z.number().int(),
  }),
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  async handle(input, work) {
    const { workflows, total } = await listWorkflows(work.db, { kinds: ["mission"], ...input });
    const developers = await publicHandles(work.db, work.caller);
    const missions = [];
    for (const workflow of workflows) {
      const brief = await findBrief(work.db, workflow.id);
      if (!brief) continue;
      const developer = developers.get(workflow.developerId);
      const isHidden = developer?.isHidden ?? true;
      missions.push({
        mission_id: workflow.id,
        name: isHidden ? privateName : workflow.name,
        status: missionStatus({ workflow, brief }, await hasOpenIssue(work.db, workflow.id)),
        current_phase: brief.currentPhase,
        total_phases: brief.totalPhases,
        developer: isHidden ? privateName : (developer?.handle ?? privateName),
        created_at: timeOf(workflow.createdAt),
      });
    }
    return { missions, total };
  },
});
