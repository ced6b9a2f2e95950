import { z } from "zod";
import { AgentId } from "../../contract/ids.ts";
import { retireAgent } from "../../domain/ending/agent-operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";

export default defineTool({
  name: "agent_unregister",
  family: "workflow",
  title: "Unregister an agent",
  summary: "Take an agent offline when it stops; what it holds goes back to the queue.",
  keywords: "leave sign off offline quit remove stop",
  effect: "change",
  isRepeatable: true,
  actor: { key: "id" },
  callers: ["agent"],
  input: z.object({ id: AgentId.describe("Your agent id.") }),
  output: Success.extend({ tasks_released: z.number().int() }),
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "at the end", input: { id: "$agent" } }],
  async handle({ id }, work) {
    return { ...success, tasks_released: await retireAgent(work, id) };
  },
});
