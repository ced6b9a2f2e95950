import { z } from "zod";
import { pullHosts, pullStatuses } from "../../../contract/words.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { listPulls } from "../../../domain/pull/queries.ts";
import { defineTool } from "../../define.ts";
import { PullRecord, pullRecord } from "../voice/pull.ts";

export default defineTool({
  name: "pull_list",
  family: "person",
  title: "List pull requests",
  summary: "See pull requests that wait for a decision and those that are over, newest first.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    status: z.array(z.enum(pullStatuses)).max(pullStatuses.length).optional().describe("Only these."),
    host: z
      .enum([...pullHosts, "all"])
      .default("local")
      .describe("Local ones unless set."),
    repository: z.string().min(1).max(4_096).optional().describe("Only of the repository in this folder."),
    limit: z.number().int().min(1).max(1_000).default(100).describe("At most this many."),
  }),
  output: z.object({ pulls: z.array(PullRecord) }),
  routes: [{ method: "GET", path: "/api/pulls" }],
  refusals: [],
  examples: [{ title: "what waits for a decision", input: { status: ["open"] } }],
  async handle({ status, host, repository, limit }, work) {
    const viewer = await readViewer(work);
    const filter = { status, host: host === "all" ? undefined : host, repositoryPath: repository, limit };
    const pulls = viewer.known(await listPulls(work.db, filter));
    return { pulls: pulls.map((pull) => pullRecord(pull, viewer)) };
  },
});
