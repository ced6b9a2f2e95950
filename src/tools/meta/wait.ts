import { z } from "zod";
import { AgentId, WorkflowId } from "../../contract/ids.ts";
import { newsKinds } from "../../contract/words.ts";
import { type Waited, waitForNews } from "../../domain/context/wait-operations.ts";
import { defineTool } from "../define.ts";
import { longestCallMs, WaitedRecord, waitedRecord } from "./waited.ts";

export default defineTool({
  name: "wait",
  family: "person",
  title: "Wait for news",
  summary: "Wait for a message, answer, decision, ready task, review or conflict that concerns you.",
  guidance: "Do not poll.",
  keywords: "sleep idle until notified, block, poll, listen, wake me up, anything new for me, inbox",
  effect: "read",
  actor: { key: "agent_id" },
  callers: ["agent"],
  input: z.object({
    agent_id: AgentId.optional().describe("You."),
    for: z.array(z.enum(newsKinds)).min(1).max(newsKinds.length).optional().describe("Only these."),
    workflow_id: WorkflowId.optional().describe("Its ready tasks too."),
    timeout_seconds: z.number().min(0).max(1_500).optional().describe("Capped per client."),
    cursor: z.string().min(1).max(200).optional().describe("From your last wait."),
  }),
  output: WaitedRecord,
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_REQUEST"],
  examples: [{ title: "a look without waiting", input: { agent_id: "$agent", timeout_seconds: 0 } }],
  limits: { timeoutMs: longestCallMs },
  observe: (input, look): Promise<Waited> =>
    waitForNews(look, {
      agentId: input.agent_id,
      workflowId: input.workflow_id,
      kinds: input.for ?? newsKinds,
      timeoutMs: input.timeout_seconds === undefined ? undefined : input.timeout_seconds * 1_000,
      cursor: input.cursor,
    }),
  handle: (_input, work, waited) => waitedRecord(work, waited),
});
