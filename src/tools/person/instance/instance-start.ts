import { z } from "zod";
import { InstanceId, TaskId } from "../../../contract/ids.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { lookAtStart, startInstance } from "../../../domain/instance/start-operations.ts";
import { defineTool } from "../../define.ts";
import { sayTask } from "../../workflow/voice/words.ts";

export default defineTool({
  name: "instance_start",
  family: "person",
  title: "Start an agent",
  summary: "Start an agent's program in a work tree of its own, for a task or with a prompt.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    path: z.string().min(1).max(4_096).describe("A folder of the repository; its branch is where the work begins."),
    prompt: z.string().trim().min(1).max(100_000).optional().describe("What it is to do."),
    task_id: TaskId.optional().describe("The task it is to do, instead of a prompt or beside it."),
    agent: z.string().min(1).max(40).optional().describe("Which program, by its name in config.json."),
    budget_tokens: z.number().int().min(1).optional().describe("Stop it once it has used more tokens."),
    budget_usd: z.number().positive().max(1_000_000).optional().describe("Stop it once it has cost more dollars."),
    role: z.enum(["coding", "planning"]).default("coding").describe("What it is there for."),
  }),
  output: z.object({ id: InstanceId, session_name: z.string(), worktree_path: z.string(), branch_name: z.string() }),
  refusals: [
    "INVALID_INPUT",
    "INVALID_STATE",
    "TASK_NOT_FOUND",
    "TASK_BLOCKED",
    "CONFLICT",
    "SPAWNER_ERROR",
    "TMUX_NOT_AVAILABLE",
    "CAPABILITY_MISSING",
    "GIT_ERROR",
  ],
  examples: [
    {
      title: "with a prompt",
      needs: "launcher",
      input: { path: "$checkout", prompt: "Add a test for the empty basket." },
    },
  ],
  observe({ path, agent, role, prompt, task_id }, look) {
    if (prompt === undefined && task_id === undefined) {
      throw new Refusal("INVALID_INPUT", "There is nothing to do.", "Give a prompt or a task.");
    }
    return lookAtStart(look, { path, type: role, program: agent ?? null });
  },
  async handle({ prompt, task_id, role, budget_tokens: tokens, budget_usd: dollars }, work, seen) {
    const started = await startInstance(work, seen, {
      type: role,
      prompt: prompt ?? null,
      taskId: task_id ?? null,
      say: sayTask,
      budget:
        tokens === undefined && dollars === undefined ? null : { tokens: tokens ?? null, dollars: dollars ?? null },
      ending:
        role === "coding"
          ? "Commit your work on this branch. Then call request_review, or create_pull_request if no review is needed."
          : "Write down the plan. Then call create_issues, or create_pull_request for documents.",
    });
    const { id, worktreePath, branch } = started;
    return { id, session_name: id, worktree_path: worktreePath, branch_name: branch ?? "" };
  },
});
