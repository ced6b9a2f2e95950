import { z } from "zod";
import { agentStatuses } from "../../contract/words.ts";
import { listAgents } from "../../domain/agent/queries.ts";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import { defineTool } from "../define.ts";
import { AgentRecord, agentRecord, Role } from "./voice/answer.ts";

export default defineTool({
  name: "agent_list",
  family: "workflow",
  title: "List agents",
  summary: "See which agents exist and which of them are alive, newest first.",
  guidance: "Use it to find who to write to.",
  keywords: "who is online everyone available people",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    status: z.array(z.enum(agentStatuses)).min(1).max(3).optional().describe("Only these statuses."),
    role: Role.optional(),
    runtime: z.string().min(1).max(100).optional().describe("Only agents of this runtime."),
    limit: z.number().int().min(1).max(500).default(100).describe("At most this many."),
    offset: z.number().int().min(0).default(0).describe("Skip this many."),
  }),
  output: z.object({ agents: z.array(AgentRecord) }),
  routes: [{ method: "GET", path: "/api/agents" }],
  refusals: [],
  examples: [{ title: "who is there", input: { status: ["online", "busy"] } }],
  async handle(input, work) {
    const agents = await listAgents(work.db, input);
    const viewer = await readViewer(work);
    return { agents: agents.map((agent) => agentRecord(agent, viewer)) };
  },
});
