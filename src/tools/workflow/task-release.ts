import { z } from "zod";
import { AgentId, TaskId } from "../../contract/ids.ts";
import { releaseTask } from "../../domain/task/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";

export default defineTool({
  name: "task_release",
  family: "workflow",
  title: "Release a task",
  summary: "Return a task to the queue; a started task becomes pending again.",
  keywords: "give back unassign return cannot",
  effect: "change",
  actor: { key: "agent_id" },
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task you hold."),
    agent_id: AgentId.describe("Your agent id."),
    reason: z.string().max(5_000).optional().describe("Why."),
  }),
  output: Success,
  refusals: ["TASK_NOT_FOUND", "AGENT_NOT_FOUND", "FORBIDDEN", "NOT_CLAIMED"],
  examples: [{ title: "out of time", input: { task_id: "$held", agent_id: "$agent", reason: "Out of time" } }],
  async handle(input, work) {
    await releaseTask(work, { taskId: input.task_id, agentId: input.agent_id, reason: input.reason ?? null });
    return success;
  },
});
