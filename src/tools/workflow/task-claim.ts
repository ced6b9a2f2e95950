import { z } from "zod";
import { AgentId, TaskId } from "../../contract/ids.ts";
import { claimTask } from "../../domain/task/operations.ts";
import { defineTool } from "../define.ts";
import { sayTask } from "./words.ts";

export default defineTool({
  name: "task_claim",
  family: "workflow",
  title: "Claim a task",
  summary: "Take a free task for one agent; of two who try, one gets it.",
  guidance: "Call before you start. The claim lasts while the agent sends heartbeats. If it is held, choose another.",
  effect: "change",
  isRepeatable: true,
  actorKey: "agent_id",
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task to take."),
    agent_id: AgentId.describe("Your agent id."),
  }),
  output: z.object({
    success: z.boolean(),
    already_claimed_by: AgentId.optional().describe("Set when another agent holds it."),
    fence: z.number().int().optional().describe("Pass it with later writes to be told if you lost the task."),
  }),
  refusals: ["TASK_NOT_FOUND", "AGENT_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "a free task", input: { task_id: "$task", agent_id: "$agent" } }],
  async handle(input, work) {
    const decision = await claimTask(work, { taskId: input.task_id, agentId: input.agent_id, say: sayTask });
    return decision.kind === "held"
      ? { success: false, already_claimed_by: decision.by }
      : { success: true, fence: decision.fence };
  },
});
