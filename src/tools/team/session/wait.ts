import { z } from "zod";
import { WorkflowId } from "../../../contract/ids.ts";
import { newsKinds } from "../../../contract/words.ts";
import { type Waited, waitForNews } from "../../../domain/context/wait-operations.ts";
import { defineTool } from "../../define.ts";
import { longestCallMs, waitedRecord } from "../../meta/waited.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { SessionId } from "../voice/words.ts";

const messages: Readonly<Record<Waited["ended"], string>> = {
  news: "Something concerns you.",
  timeout: "Nothing has come yet.",
  stopping: "The server is stopping.",
};

/** The wait for clients that are shown the published tools only; whoever has registered as an agent passes that id. */
export default defineTool({
  name: "wait",
  family: "team",
  title: "Wait for news",
  summary: "Wait for a message, answer, decision, ready task, review or conflict that concerns you; do not poll.",
  keywords: "sleep idle until notified, block, poll, listen, wake me up, anything new for me",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    session_id: SessionId.optional(),
    for: z.array(z.enum(newsKinds)).min(1).max(newsKinds.length).optional().describe("Wait for these only."),
    workflow_id: WorkflowId.optional().describe("Wait for its ready tasks too."),
    timeout_seconds: z.number().min(0).max(1_500).optional().describe("How long to wait; capped per client."),
    cursor: z.string().min(1).max(200).optional().describe("From your last wait."),
  }),
  output: TeamAnswer,
  refusals: ["AGENT_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "INVALID_REQUEST"],
  examples: [{ title: "a look without waiting", input: { session_id: "$session", timeout_seconds: 0 } }],
  limits: { timeoutMs: longestCallMs },
  observe: (input, look): Promise<Waited> =>
    waitForNews(look, {
      agentId: input.session_id,
      workflowId: input.workflow_id,
      kinds: input.for ?? newsKinds,
      timeoutMs: input.timeout_seconds === undefined ? undefined : input.timeout_seconds * 1_000,
      cursor: input.cursor,
    }),
  async handle(_input, work, waited) {
    const { next, ...data } = await waitedRecord(work, waited);
    return tell({ message: messages[waited.ended], data, next });
  },
});
