import { z } from "zod";
import { TaskId } from "../../../contract/ids.ts";
import { publishContext } from "../../../domain/exchange/operations.ts";
import { defineTool } from "../../define.ts";
import { timeOf } from "../../time.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { Branch, Repo, RepoPath, SessionId } from "../voice/words.ts";
import { Summary } from "./summary.ts";

const Lines = z.array(z.string().trim().min(1).max(500)).max(20);

export default defineTool({
  name: "publish_context",
  family: "team",
  title: "Publish your context",
  summary: "Tell the team where your work stands; it replaces what you last said for this repo and branch.",
  keywords: "share handoff notes status where work stands",
  effect: "change",
  callers: ["agent"],
  input: z.object({
    title: z.string().trim().min(1).max(200).describe("What you are working on."),
    summary: Summary,
    files_touched: z.array(RepoPath).max(200).optional().describe("The files it is about; names only."),
    next_actions: Lines.optional().describe("What comes next."),
    blockers: Lines.optional().describe("What is in the way."),
    task_ids: z.array(TaskId).max(50).optional().describe("The tasks it belongs to."),
    repo: Repo.optional(),
    branch: Branch.optional(),
    ttl_hours: z.number().int().min(1).max(168).default(24).describe("How many hours it stays valid."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "TASK_NOT_FOUND"],
  examples: [
    {
      title: "half done",
      input: {
        session_id: "$session",
        title: "Paging of the order list",
        summary: "The query is paged; the buttons are missing.",
        files_touched: ["src/orders.ts"],
        next_actions: ["Add the buttons."],
      },
    },
  ],
  async handle(input, work) {
    const { context, supersedes } = await publishContext(work, {
      sessionId: input.session_id,
      repo: input.repo ?? null,
      branch: input.branch ?? null,
      title: input.title,
      summary: input.summary,
      files: input.files_touched ?? [],
      nextActions: input.next_actions ?? [],
      blockers: input.blockers ?? [],
      taskIds: input.task_ids ?? [],
      ttlHours: input.ttl_hours,
    });
    return tell({
      message: "The team can read your context.",
      data: {
        context_id: context.id,
        repo: context.repo,
        branch: context.branch,
        superseded_context_id: supersedes,
        expires_at: timeOf(context.expiresAt),
      },
    });
  },
});
