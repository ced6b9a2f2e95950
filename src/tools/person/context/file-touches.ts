import { z } from "zod";
import { AgentId, TaskId } from "../../../contract/ids.ts";
import { findLastTouches } from "../../../domain/context/touch-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { locateRepository } from "../../../domain/project/locate-operations.ts";
import { defineTool } from "../../define.ts";
import { RepoPath } from "../../index/references.ts";
import { timeOf } from "../../time.ts";

export default defineTool({
  name: "file_touches",
  family: "person",
  title: "Show who changed files last",
  summary: "Which task, by its receipt, changed each of these files last, and whose it was.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    files: z.array(z.string().min(1).max(1_000)).min(1).max(100).describe("Paths relative to the repository."),
  }),
  output: z.object({
    repo: z.string().describe("The repository's top folder."),
    touches: z.array(
      z.object({
        file: z.string(),
        task_id: TaskId,
        task: z.string().describe("The task's name."),
        agent_id: AgentId.nullable().describe("The agent that did it."),
        developer: z.string(),
        ended_at: z.string(),
      }),
    ),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN"],
  examples: [{ title: "one file", input: { repoPath: "$indexed", files: ["src/read.ts"] } }],
  async observe({ repoPath, files }, look) {
    const repository = await locateRepository(look, repoPath);
    return { root: repository.root, last: await findLastTouches(look, repository.main, files) };
  },
  async handle(_input, work, { root, last }) {
    const viewer = await readViewer(work);
    const touches = [...last].filter(([, touch]) => viewer.knows(touch));
    return {
      repo: root,
      touches: touches.map(([file, touch]) => ({
        file,
        task_id: touch.taskId,
        task: touch.name,
        agent_id: touch.agentId,
        developer: viewer.of(touch).owner,
        ended_at: timeOf(touch.endedAt),
      })),
    };
  },
});
