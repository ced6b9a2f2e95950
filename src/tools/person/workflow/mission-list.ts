import { z } from "zod";
import { WorkflowId } from "../../../contract/ids.ts";
import { listMissions } from "../../../domain/context/mission-operations.ts";
import { hasOpenIssue } from "../../../domain/note/queries.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { findBrief } from "../../../domain/workflow/brief-queries.ts";
import { defineTool } from "../../define.ts";
import {
  MissionEnd,
  MissionStatus,
  missionEnd,
  missionFilters,
  missionStatus,
  Time,
  timeOf,
} from "../../mission/voice/answer.ts";

export default defineTool({
  name: "mission_list",
  family: "person",
  title: "List missions",
  summary: "See the missions of the team, newest first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    status: MissionStatus.optional().describe("Only with this status."),
    limit: z.number().int().min(1).max(200).default(50).describe("At most this many."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({
    missions: z.array(
      z.object({
        id: WorkflowId,
        mission_id: WorkflowId.describe("The same, as the tools call it."),
        name: z.string(),
        objective: z.string(),
        description: z.string().nullable(),
        profile: z.string(),
        scope: z.string().nullable(),
        constraints: z.string().nullable(),
        status: z.string(),
        current_phase: z.number().int(),
        total_phases: z.number().int(),
        ...MissionEnd.partial().shape,
        developer: z.string(),
        created_at: Time,
        updated_at: Time,
      }),
    ),
    total: z.number().int(),
  }),
  routes: [{ method: "GET", path: "/api/missions" }],
  refusals: [],
  examples: [{ title: "all of them", input: {} }],
  async handle({ status, limit, offset }, work) {
    const filter = status && missionFilters[status];
    const { workflows, total } = await listMissions(work.db, { ...filter, limit, offset });
    const viewer = await readViewer(work);
    const missions = [];
    for (const workflow of workflows) {
      const brief = await findBrief(work.db, workflow.id);
      if (!brief) continue;
      const sight = viewer.of(workflow);
      missions.push({
        id: workflow.id,
        mission_id: workflow.id,
        name: sight.title(workflow.name),
        objective: sight.title(brief.objective),
        description: sight.value(brief.description),
        profile: brief.profile.toUpperCase(),
        scope: sight.value(brief.scope),
        constraints: sight.value(brief.constraints),
        status: missionStatus({ workflow, brief }, await hasOpenIssue(work.db, workflow.id)),
        current_phase: brief.currentPhase,
        total_phases: brief.totalPhases,
        ...(sight.isHidden ? {} : missionEnd(brief)),
        developer: sight.owner,
        created_at: timeOf(workflow.createdAt),
        updated_at: timeOf(workflow.updatedAt),
      });
    }
    return { missions, total };
  },
});
