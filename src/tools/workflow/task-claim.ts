import { z } from "zod";
import { AgentId, TaskId, WorktreeId } from "../../contract/ids.ts";
import { takeTaskWithWorktree } from "../../domain/worktree/take-operations.ts";
import { defineTool } from "../define.ts";
import { sayTask } from "./voice/words.ts";

export default defineTool({
  name: "task_claim",
  family: "workflow",
  title: "Take a task",
  summary: "Take a free task for an agent; if two try, one gets it.",
  guidance:
    "Call before you start. You keep it while the agent is alive. If another agent holds it, choose another task.",
  keywords: "take grab assign free task myself",
  effect: "change",
  isRepeatable: true,
  actor: { key: "agent_id" },
  callers: ["agent"],
  input: z.object({
    task_id: TaskId.describe("The task to take."),
    agent_id: AgentId.describe("Your agent id."),
  }),
  output: z.object({
    success: z.boolean(),
    already_claimed_by: AgentId.optional().describe("Set when another agent holds it."),
    fence: z.number().int().optional().describe("Pass it with later writes to be told if you lost the task."),
    workspace_id: WorktreeId.optional().describe("The worktree that is being made for the task; see workspace_list."),
  }),
  refusals: ["TASK_NOT_FOUND", "AGENT_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "a free task", input: { task_id: "$task", agent_id: "$agent" } }],
  async handle(input, work) {
    const ask = { taskId: input.task_id, agentId: input.agent_id, say: sayTask };
    const { decision, worktreeId } = await takeTaskWithWorktree(work, ask);
    if (decision.kind === "held") return { success: false, already_claimed_by: decision.by };
    const workspace = worktreeId === null ? {} : { workspace_id: worktreeId };
    return { success: true, fence: decision.fence, ...workspace };
  },
});
