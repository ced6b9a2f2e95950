import { z } from "zod";
import { AgentId } from "../../contract/ids.ts";
import { getAgent } from "../../domain/agent/queries.ts";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import { defineTool } from "../define.ts";
import { AgentRecord, agentRecord } from "./voice/answer.ts";

export default defineTool({
  name: "agent_get",
  family: "workflow",
  title: "Get an agent",
  summary: "Read one agent: its owner, status and current task.",
  keywords: "details look up one",
  effect: "read",
  callers: ["agent"],
  input: z.object({ id: AgentId.describe("The agent to read.") }),
  output: AgentRecord,
  refusals: ["AGENT_NOT_FOUND"],
  examples: [{ title: "by id", input: { id: "$agent" } }],
  async handle({ id }, work) {
    const agent = await getAgent(work.db, id);
    return agentRecord(agent, await readViewer(work));
  },
});
