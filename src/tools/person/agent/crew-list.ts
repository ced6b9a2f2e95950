import { z } from "zod";
import { AgentId } from "../../../contract/ids.ts";
import { listCrew } from "../../../domain/context/crew-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { CrewRecord, crewRecord } from "../voice/crew.ts";
import { mostFilesFor, pageOfRows } from "../voice/rows.ts";

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
    ...pageOfRows,
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
    const mostFiles = mostFilesFor(agent_id);
    return {
      agents: crew.map((member) => crewRecord(member, { viewer, now: work.now, mostFiles })),
      more: hasMore,
    };
  },
});
