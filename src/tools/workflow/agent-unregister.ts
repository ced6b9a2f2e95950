import { z } from "zod";
import { AgentId } from "../../contract/ids.ts";
import { unregisterAgent } from "../../domain/agent/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice.ts";

export default defineTool({
  name: "agent_unregister",
  family: "workflow",
  title: "Unregister an agent",
  summary: "Take an agent offline when it stops.",
  effect: "change",
  isRepeatable: true,
  actorKey: "id",
  callers: ["agent"],
  input: z.object({ id: AgentId.describe("Your agent id.") }),
  output: Success,
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "at the end", input: { id: "$agent" } }],
  async handle({ id }, work) {
    await unregisterAgent(work, id);
    return success;
  },
});
