import { z } from "zod";
import { AgentId, TaskId } from "../../contract/ids.ts";
import { heartbeatEveryMs } from "../../domain/agent/model.ts";
import { recordHeartbeat } from "../../domain/agent/operations.ts";
import { defineTool } from "../define.ts";
import { checkReferences } from "./references.ts";
import { success } from "./voice/answer.ts";

export default defineTool({
  name: "agent_heartbeat",
  family: "workflow",
  title: "Send a heartbeat",
  summary: "Show that an agent is alive.",
  guidance: "Only needed without an open connection: an agent is offline after 60 seconds without any call.",
  keywords: "alive online keep ping",
  effect: "change",
  isRepeatable: true,
  actor: { key: "agent_id" },
  callers: ["agent"],
  input: z.object({
    agent_id: AgentId.describe("Your agent id."),
    current_task_id: TaskId.optional().describe("The current task."),
    status: z.enum(["online", "busy"]).optional().describe("Whether it is free or busy."),
  }),
  output: z.object({ success: z.literal(true), next_heartbeat_ms: z.number().int() }),
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "TASK_NOT_FOUND"],
  examples: [{ title: "at work", input: { agent_id: "$agent", status: "busy" } }],
  async handle(input, work) {
    await checkReferences(work, { task: input.current_task_id });
    await recordHeartbeat(work, input.agent_id, { status: input.status, currentTaskId: input.current_task_id });
    return { ...success, next_heartbeat_ms: heartbeatEveryMs };
  },
});
