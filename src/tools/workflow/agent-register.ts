import { z } from "zod";
import { AgentId } from "../../contract/ids.ts";
import { registerAgent } from "../../domain/agent/operations.ts";
import { defineTool } from "../define.ts";
import { Metadata, Role, Runtime } from "./voice/answer.ts";

export default defineTool({
  name: "agent_register",
  family: "workflow",
  title: "Register an agent",
  summary: "Announce yourself to the team and get the agent id that other tools ask for.",
  guidance: "Call once, keep the id. Registering again with the same name and runtime resumes the same agent.",
  keywords: "join sign up check in myself new agent id",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    name: z.string().trim().min(1).max(200).describe("A name people recognise."),
    runtime: Runtime,
    role: Role.default("worker"),
    capabilities: z.array(z.string().min(1).max(100)).max(100).default([]).describe("What it can do, e.g. typescript."),
    workspace_path: z.string().min(1).max(4096).optional().describe("The folder it works in."),
    metadata: Metadata.default({}),
  }),
  output: z.object({
    id: AgentId,
    name: z.string(),
    status: z.enum(["online", "busy"]),
    resumed: z
      .literal(true)
      .optional()
      .describe("You registered before: this is the same agent, with its mailbox and the tasks it still holds."),
  }),
  refusals: ["TOO_LARGE"],
  examples: [{ title: "a worker", input: { name: "Ada", runtime: "claude_code", capabilities: ["typescript"] } }],
  async handle(input, work) {
    const { agent, isResumed } = await registerAgent(work, {
      name: input.name,
      runtime: input.runtime,
      role: input.role,
      capabilities: input.capabilities,
      workspacePath: input.workspace_path ?? null,
      metadata: input.metadata,
    });
    const status = agent.currentTaskId === null ? ("online" as const) : ("busy" as const);
    return { id: agent.id, name: agent.name, status, ...(isResumed ? { resumed: true as const } : {}) };
  },
});
