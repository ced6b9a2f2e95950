import { z } from "zod";
import { AgentId, ClaimId, TaskId } from "../../../contract/ids.ts";
import { listRefusedWishes } from "../../../domain/claim/wish-operations.ts";
import { wantedSubject } from "../../../domain/message/peer-model.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { Time, timeOf } from "../../time.ts";

export default defineTool({
  name: "claim_conflicts",
  family: "person",
  title: "List refused claims",
  summary: "See which code your agents could not claim, who holds it, and since when.",
  effect: "read",
  callers: ["person"],
  input: z.object({ limit: z.number().int().min(1).max(100).default(50).describe("At most this many.") }),
  output: z.object({
    conflicts: z.array(
      z.object({
        item_id: z.string().describe("The inbox item it belongs to."),
        claim_id: ClaimId.nullable().describe("The claim in the way."),
        repo: z.string().nullable(),
        branch: z.string().nullable(),
        paths: z.array(z.string()).describe("What your agent wanted of it."),
        symbols: z.array(z.string()),
        wanted_by: AgentId.nullable().describe("The agent that wanted it."),
        wanted_at: Time,
        holder: z.string().describe("The developer who holds it."),
        holder_agent_id: AgentId.nullable(),
        holder_agent: z.string().nullable().describe("The name of the agent that holds it."),
        task_id: TaskId.nullable().describe("The task it is held for."),
        held_since: Time,
        expires_at: Time,
        may_release: z.boolean().describe("Whether claim_release is yours to call."),
      }),
    ),
  }),
  routes: [{ method: "GET", path: "/api/claims/conflicts" }],
  refusals: [],
  examples: [{ title: "mine", input: {} }],
  async handle({ limit }, work) {
    const viewer = await readViewer(work);
    const wishes = await listRefusedWishes(work, limit);
    return {
      conflicts: wishes.map(({ message, claim, agent, mayRelease }) => {
        const sight = viewer.of(claim);
        return {
          item_id: wantedSubject(message),
          claim_id: sight.value(claim.id),
          repo: sight.value(claim.repo),
          branch: sight.value(claim.branch),
          paths: message.detail.paths ?? [],
          symbols: message.detail.symbols ?? [],
          wanted_by: message.senderId,
          wanted_at: timeOf(message.createdAt),
          holder: sight.owner,
          holder_agent_id: sight.value(claim.sessionId),
          holder_agent: agent === undefined ? null : sight.value(agent.name),
          task_id: sight.value(claim.taskId),
          held_since: timeOf(claim.createdAt),
          expires_at: timeOf(claim.expiresAt),
          may_release: mayRelease,
        };
      }),
    };
  },
});
