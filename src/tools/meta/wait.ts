import { z } from "zod";
import { AgentId, WorkflowId } from "../../contract/ids.ts";
import { newsKinds } from "../../contract/words.ts";
import { listAgentsById } from "../../domain/agent/queries.ts";
import { type Waited, waitForNews } from "../../domain/context/wait-operations.ts";
import { cursorOf } from "../../domain/ledger/operations.ts";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import { defineTool } from "../define.ts";
import { NewsRecord, newsRecord } from "./voice/news.ts";

const nexts: Readonly<Record<Waited["ended"], string>> = {
  news: "Act on each item, then call wait again with this cursor.",
  timeout: "Nothing has come yet. Call wait again with this cursor, or go on with other work.",
  stopping: "The server is stopping. Call wait again with this cursor when it is back.",
};

/** The longest wait is for programs; a client's own patience comes first. */
const longestCallMs = 26 * 60_000;

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
  output: z.object({
    news: z.array(NewsRecord).describe("Oldest first; empty when nothing came."),
    cursor: z.string(),
    ended: z.enum(["news", "timeout", "stopping"]).describe("Why it returned."),
    waited_seconds: z.number(),
    limit_seconds: z.number().describe("How long it would have waited at most."),
    next: z.string(),
  }),
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
  async handle(_input, work, { news, place, ended, waitedMs, limitMs }) {
    const viewer = await readViewer(work);
    const agents = await listAgentsById(
      work.db,
      news.flatMap(({ agentId }) => agentId ?? []),
    );
    return {
      news: news.map((one) => newsRecord(one, { viewer, agents })),
      cursor: cursorOf(place),
      ended,
      waited_seconds: Math.round(waitedMs / 1_000),
      limit_seconds: Math.round(limitMs / 1_000),
      next: nexts[ended],
    };
  },
});
