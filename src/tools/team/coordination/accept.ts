import { z } from "zod";
import type { SharedContext } from "../../../domain/exchange/model.ts";
import { acceptHandoff } from "../../../domain/intent/handoff-operations.ts";
import { findIntent } from "../../../domain/intent/queries.ts";
import type { Task } from "../../../domain/task/model.ts";
import type { Work } from "../../../domain/work.ts";
import { defineTool } from "../../define.ts";
import { block, TeamAnswer, tell } from "../voice/answer.ts";
import { voiceFor } from "../voice/coordination.ts";
import { HandoffRef } from "../voice/coordination-words.ts";
import { SessionId, timeOf } from "../voice/words.ts";
import { taskRecord } from "../voice/work.ts";

export default defineTool({
  name: "accept",
  family: "team",
  title: "Take work over",
  summary: "Take what a teammate offers you: task, claims, context and unread messages at once.",
  keywords: "take over handoff",
  effect: "change",
  callers: ["agent"],
  input: z.object({ handoff_id: HandoffRef, session_id: SessionId.optional() }),
  output: TeamAnswer,
  refusals: ["NOT_FOUND", "SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "in the morning", input: { handoff_id: "$handoff" } }],
  async handle({ handoff_id, session_id }, work) {
    const accepted = await acceptHandoff(work, { handoffId: handoff_id, sessionId: session_id });
    if (accepted === undefined) {
      return block(handoff_id, {
        message: "The task has ended or changed hands meanwhile; the handoff is void.",
        data: { code: "HANDOFF_VOID", handoff_id },
        next: "Look what else waits for you with covibe_coordination summary.",
      });
    }
    const voice = await voiceFor(work);
    const { handoff, task, claims, context, messages } = accepted;
    return tell({
      message: task === null ? "The work is yours." : "The task is yours.",
      data: {
        handoff_id,
        from: voice.viewer.nameOf(handoff.fromDeveloperId),
        summary: handoff.body,
        task_id: task?.id ?? null,
        task: task === null ? null : await takenRecord(work, task),
        claims: claims.map((claim) => voice.claim(claim)),
        context: context === null ? null : contextRecord(context),
        messages_moved: messages,
      },
      ...(messages > 0 ? { next: "Answer what was asked about it: covibe_coordination summary." } : {}),
    });
  },
});

const takenRecord = async (work: Work, task: Task) => ({
  ...taskRecord({ task, intent: await findIntent(work.db, task.id) }),
  task_id: task.id,
  fence: task.fence,
});

/** Given away with the work, so that even a private giver's reaches the one who goes on with it. */
const contextRecord = (context: SharedContext) => ({
  context_id: context.id,
  title: context.title,
  summary: context.summary,
  files_touched: context.files,
  next_actions: context.nextActions,
  blockers: context.blockers,
  task_ids: context.taskIds,
  repo: context.repo,
  branch: context.branch,
  expires_at: timeOf(context.expiresAt),
});
