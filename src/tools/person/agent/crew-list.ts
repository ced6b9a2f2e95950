import { z } from "zod";
import { AgentId } from "../../../contract/ids.ts";
import { listCrew } from "../../../domain/context/crew-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { CrewRecord, crewRecord } from "../voice/crew.ts";

/** A row shows the first few; whoever opens one agent sees the rest. */
const filesInList = 20;
const filesOfOne = 500;

export default defineTool({
  name: "crew_list",
  family: "person",
  title: "List agents with their work",
  summary: "See every agent once: client, owner, task, branch, uncommitted files, cost and last sign of life.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    offline: z.boolean().default(false).describe("Agents that are offline instead of those that are here."),
    agent_id: AgentId.optional().describe("This agent alone, with all its files."),
    limit: z.number().int().min(1).max(200).default(50).describe("At most this many."),
    offset: z.number().int().min(0).max(100_000).default(0).describe("Skip this many."),
  }),
  output: z.object({
    agents: z.array(CrewRecord),
    more: z.boolean().describe("There are more after these."),
  }),
  routes: [{ method: "GET", path: "/api/crew" }],
  refusals: [],
  examples: [
    { title: "who is here", input: {} },
    { title: "agents that are offline", input: { offline: true, limit: 10 } },
  ],
  async handle({ offline, agent_id, limit, offset }, work) {
    const { crew, hasMore } = await listCrew(work.db, { id: agent_id, isGone: offline, limit, offset, now: work.now });
    const viewer = await readViewer(work);
    const mostFiles = agent_id === undefined ? filesInList : filesOfOne;
    return {
      agents: crew.map((member) => crewRecord(member, { viewer, now: work.now, mostFiles })),
      more: hasMore,
    };
  },
});
