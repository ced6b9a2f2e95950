import { z } from "zod";
import { WorkflowId } from "../../contract/ids.ts";
import { closeMission } from "../../domain/ending/mission-operations.ts";
import { defineTool } from "../define.ts";
import { Lines, secondsBetween, Time, timeOf } from "./voice/answer.ts";

export default defineTool({
  name: "complete_mission",
  family: "mission",
  title: "Complete a mission",
  summary: "Complete a mission with its outcome and the totals of its tasks.",
  keywords: "end finish result",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    mission_id: WorkflowId.describe("The mission to end."),
    status: z.enum(["completed", "failed", "partial"]).describe("How it ended."),
    summary: z.string().trim().min(1).max(20_000).describe("The outcome."),
    achievements: Lines.default([]).describe("What was achieved."),
    limitations: Lines.default([]).describe("What was not."),
  }),
  output: z.object({
    mission_id: WorkflowId,
    status: z.string(),
    summary: z.string(),
    achievements: z.array(z.string()),
    limitations: z.array(z.string()),
    metrics: z.object({
      total_phases: z.number().int(),
      total_tasks: z.number().int(),
      total_duration_seconds: z.number().int(),
      total_duration_minutes: z.number(),
      files_changed: z.number().int(),
    }),
    completed_at: Time,
  }),
  refusals: ["NOT_FOUND", "INVALID_TRANSITION", "FORBIDDEN"],
  examples: [{ title: "reached", input: { mission_id: "$mission", status: "completed", summary: "It stands." } }],
  async handle(input, work) {
    const { status, summary, achievements, limitations } = input;
    const closing = { status, summary, achievements, limitations };
    const { missionId, phases, tasks, filesChanged } = await closeMission(work, input.mission_id, closing);
    const seconds = tasks.reduce((sum, task) => sum + secondsBetween(task.startedAt, task.endedAt ?? work.now), 0);
    return {
      mission_id: missionId,
      status,
      summary,
      achievements,
      limitations,
      metrics: {
        total_phases: phases,
        total_tasks: tasks.length,
        total_duration_seconds: seconds,
        total_duration_minutes: Math.round((seconds / 60) * 10) / 10,
        files_changed: filesChanged,
      },
      completed_at: timeOf(work.now),
    };
  },
});
