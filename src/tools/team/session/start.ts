import { z } from "zod";
import { sessionStaleAfterMs } from "../../../domain/agent/session-model.ts";
import { startSession } from "../../../domain/agent/session-start-operations.ts";
import { defineTool } from "../../define.ts";
import { teamAnswerWith, tell } from "../voice/answer.ts";
import { Branch, Repo, Worktree } from "../voice/words.ts";

const Name = z.string().trim().min(1);

export default defineTool({
  name: "start",
  family: "team",
  title: "Start a session",
  summary: "Begin a run and get the session_id that other tools ask for.",
  keywords: "begin sign in join check in",
  effect: "create",
  callers: ["agent"],
  input: z.object({
    agent_name: Name.max(200).optional().describe("A name people recognise."),
    agent_type: Name.max(60).optional().describe("The client, e.g. claude-code; overridden by the token's type."),
    provider: Name.max(100).optional().describe("Who runs the model."),
    model: Name.max(200).optional().describe("The model."),
    repo: Repo.optional(),
    branch: Branch.optional(),
    worktree: Worktree.optional(),
  }),
  output: teamAnswerWith<{ session_id: string }>(),
  refusals: [],
  examples: [
    {
      title: "in a repository",
      input: { agent_name: "Ada", agent_type: "claude-code", repo: "acme/shop", branch: "main" },
    },
  ],
  async handle(input, work) {
    const { session, name } = await startSession(work, {
      agentName: input.agent_name ?? null,
      reportedType: input.agent_type ?? null,
      provider: input.provider ?? null,
      model: input.model ?? null,
      repo: input.repo ?? null,
      branch: input.branch ?? null,
      worktree: input.worktree ?? null,
    });
    return tell({
      message: "The session has started.",
      data: {
        session_id: session.id,
        agent_name: name,
        agent_type: session.agentType,
        provider: session.provider,
        model: session.model,
        repo: session.repo,
        branch: session.branch,
        worktree: session.worktree,
        stale_after_minutes: sessionStaleAfterMs / 60_000,
      },
      next: "Call covibe_task with operation check, this session_id and what you mean to do, before you begin.",
    });
  },
});
