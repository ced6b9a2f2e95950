import { z } from "zod";
import { readKnown } from "../../../domain/context/collision-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { locateRepository } from "../../../domain/project/locate-operations.ts";
import { defineTool } from "../../define.ts";
import { OutlookRecord, outlookRecord } from "../voice/collision.ts";

export default defineTool({
  name: "collision_list",
  family: "person",
  title: "List collisions",
  summary: "See which worktrees of a repository can't be merged with each other now, and how far each is behind.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    repository_path: z.string().min(1).max(4_096).optional().describe("A folder of the repository."),
    all: z.boolean().default(false).describe("Also those that change the same files in different places."),
  }),
  output: OutlookRecord,
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "GIT_ERROR"],
  examples: [{ title: "what would collide", input: {} }],
  async observe({ repository_path }, look) {
    const { root } = await locateRepository(look, repository_path);
    return look.ports.forecast.look({ folder: root }, look.signal);
  },
  async handle({ all }, work, outlook) {
    const viewer = await readViewer(work);
    return outlookRecord(outlook, { ...(await readKnown(work, outlook)), viewer, all });
  },
});
