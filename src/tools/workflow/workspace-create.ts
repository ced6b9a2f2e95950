import { z } from "zod";
import { TaskId, WorkflowId, WorktreeId } from "../../contract/ids.ts";
import { isReady } from "../../domain/worktree/model.ts";
import { checkNewFolder, registerWorktree } from "../../domain/worktree/operations.ts";
import { getWorktree } from "../../domain/worktree/queries.ts";
import { defineTool } from "../define.ts";

export default defineTool({
  name: "workspace_create",
  family: "workflow",
  title: "Register a workspace",
  summary: "Register a git worktree for a workflow's tasks, or create one.",
  guidance: "With create_worktree the folder is created; if ready is false, check again with workspace_list.",
  keywords: "git worktree new separate working copy branch",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    workflow_id: WorkflowId.describe("The workflow."),
    path: z.string().min(1).max(4_096).describe("The absolute path of the worktree."),
    branch: z.string().min(1).max(250).describe("The branch checked out in it."),
    base_branch: z.string().min(1).max(250).optional().describe("The branch it came from."),
    task_ids: z.array(TaskId).max(1_000).default([]).describe("Tasks that are done in it."),
    create_worktree: z
      .boolean()
      .default(false)
      .describe("Make the folder with git; the branch begins at base_branch if it does not exist."),
    repo_path: z.string().min(1).max(4_096).optional().describe("The repository; the workflow's own if left out."),
  }),
  output: z.object({
    id: WorktreeId,
    path: z.string().optional().describe("Where the folder is, without links on the way."),
    ready: z.boolean().optional().describe("The folder is there to work in."),
    base_behind: z.number().int().nullable().optional().describe("Commits the base lacks of its upstream."),
    problem: z.string().nullable().optional().describe("Why the folder could not be made."),
  }),
  refusals: [
    "WORKFLOW_NOT_FOUND",
    "TASK_NOT_FOUND",
    "WORKFLOW_MISMATCH",
    "FORBIDDEN",
    "INVALID_INPUT",
    "MISSING_REPO_PATH",
    "REPOSITORY_NOT_FOUND",
    "CONFLICT",
    "GIT_ERROR",
    "CAPABILITY_MISSING",
  ],
  examples: [
    {
      title: "beside the repository",
      input: { workflow_id: "$workflow", path: "/srv/code/shop-worktrees/login", branch: "work/login" },
    },
  ],
  async observe(input, look) {
    return input.create_worktree ? checkNewFolder(look, wanted(input)) : undefined;
  },
  async handle(input, work, ground) {
    const worktree = await registerWorktree(work, { ...wanted(input), taskIds: input.task_ids, ground });
    return ground === undefined ? { id: worktree.id } : { id: worktree.id, path: worktree.path, ready: false };
  },
  afterwards: {
    waitMs: 30_000,
    async read(answer, work) {
      if (answer.ready === undefined) return answer;
      const worktree = await getWorktree(work.db, WorktreeId.parse(answer.id));
      const { path, facts, problem } = worktree;
      return { id: worktree.id, path, ready: isReady(worktree), base_behind: facts?.behind ?? null, problem };
    },
  },
});

interface Wanted {
  readonly workflow_id: WorkflowId;
  readonly path: string;
  readonly branch: string;
  readonly base_branch?: string | undefined;
  readonly repo_path?: string | undefined;
}

const wanted = (input: Wanted) => ({
  workflowId: input.workflow_id,
  path: input.path,
  branch: input.branch,
  baseBranch: input.base_branch ?? null,
  repositoryPath: input.repo_path ?? null,
});
