import { z } from "zod";
import { AgentId, TaskId } from "../../contract/ids.ts";
import { agentStatuses } from "../../contract/words.ts";
import { changeAgent } from "../../domain/ending/agent-operations.ts";
import { defineTool } from "../define.ts";
import { Metadata, Success, success } from "./voice/answer.ts";

export default defineTool({
  name: "agent_update",
  family: "workflow",
  title: "Update an agent",
  summary: "Change an agent's status, folder, current task or metadata.",
  guidance: "Metadata is merged key by key with what is stored.",
  keywords: "busy status metadata change",
  effect: "change",
  isRepeatable: true,
  actor: { key: "id" },
  callers: ["agent"],
  input: z.object({
    id: AgentId.describe("Your agent id."),
    status: z.enum(agentStatuses).optional().describe("The new status."),
    current_task_id: TaskId.nullable().optional().describe("The current task; null for none."),
    workspace_path: z.string().min(1).max(4096).optional().describe("The folder it works in."),
    metadata: Metadata.optional(),
  }),
  output: Success,
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN", "TASK_NOT_FOUND", "TOO_LARGE"],
  examples: [{ title: "a note in the metadata", input: { id: "$agent", metadata: { model: "large" } } }],
  async handle(input, work) {
    await changeAgent(work, input.id, {
      status: input.status,
      currentTaskId: input.current_task_id,
      workspacePath: input.workspace_path,
      metadata: input.metadata,
    });
    return success;
  },
});
