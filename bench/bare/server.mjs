import { Server } from "@modelcontextprotocol/server";

/** What `agent_get` answers, so that a difference is work and not the size of the answer. */
const record = {
  id: "agent_0123456789abcdefghjkmnpqrs",
  name: "bench",
  runtime: "claude_code",
  role: "worker",
  capabilities: [],
  workspace_path: null,
  metadata: {},
  status: "online",
  current_task_id: null,
  developer: "bench",
  last_heartbeat: "2026-01-01T00:00:00.000Z",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

const answer = { content: [{ type: "text", text: JSON.stringify(record) }], structuredContent: record };

/** The floor: the SDK's low-level server with one tool that does nothing. */
export function makeBareServer() {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [{ name: "agent_get", inputSchema: { type: "object" } }] }));
  server.setRequestHandler("tools/call", async () => answer);
  return server;
}
