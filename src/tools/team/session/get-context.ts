import { z } from "zod";
import { SharedContextId } from "../../../contract/ids.ts";
import { useNamedSession } from "../../../domain/agent/session-operations.ts";
import type { SharedContext } from "../../../domain/exchange/model.ts";
import { getActiveContext, unknownContext } from "../../../domain/exchange/operations.ts";
import { listActiveContexts } from "../../../domain/exchange/queries.ts";
import { getTeammate } from "../../../domain/person/teammate-operations.ts";
import { isSameOwner, type Viewer } from "../../../domain/person/viewer-model.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import type { Work } from "../../../domain/work.ts";
import { defineTool } from "../../define.ts";
import { TeamAnswer, tell } from "../voice/answer.ts";
import { contextRecord } from "../voice/context.ts";
import { SessionId } from "../voice/words.ts";

const mostContexts = 100;

export default defineTool({
  name: "get_context",
  family: "team",
  title: "Read contexts",
  summary: "Read what a teammate last published about their work, or what everyone has.",
  keywords: "teammate working on read shared context",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    developer: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("A teammate's handle or id; without one, everyone."),
    context_id: SharedContextId.optional().describe("A published context, e.g. the one a handoff names."),
    session_id: SessionId.optional(),
  }),
  output: TeamAnswer,
  refusals: ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE", "NOT_FOUND"],
  examples: [
    { title: "everyone's", input: { session_id: "$session" } },
    { title: "a teammate's", input: { developer: "$handle" } },
  ],
  async handle({ developer, context_id, session_id }, work) {
    await useNamedSession(work, session_id);
    const viewer = await readViewer(work);
    const found = await findContexts(work, viewer, { developer, contextId: context_id });
    const contexts = found.map((context) => contextRecord(context, viewer));
    const isOne = developer !== undefined || context_id !== undefined;
    return tell({
      message: contexts.length === 0 ? "Nothing is published there." : "This is what is published.",
      data: { ...(isOne ? { context: contexts[0] ?? null } : {}), contexts },
      next:
        developer !== undefined && contexts.length === 0
          ? "Call covibe_coordination with operation ask, to this developer, for what you need to know."
          : null,
    });
  },
});

/** Newest first. A private developer's is not found by name or by its id, except by themselves (SX7). */
async function findContexts(
  work: Work,
  viewer: Viewer,
  ask: { developer: string | undefined; contextId: SharedContextId | undefined },
): Promise<SharedContext[]> {
  const { db, now } = work;
  const owner = ask.developer === undefined ? undefined : await getTeammate(work, ask.developer);
  if (ask.contextId === undefined) {
    return listActiveContexts(db, { developerId: owner?.id, now, limit: mostContexts });
  }
  const context = await getActiveContext(db, ask.contextId, now);
  const isElsewhere = owner !== undefined && !isSameOwner({ developerId: owner.id }, context);
  if (isElsewhere || !viewer.knows(context)) throw unknownContext();
  return [context];
}
