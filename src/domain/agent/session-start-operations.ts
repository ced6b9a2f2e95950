import type { Work } from "../work.ts";
import { createAgent } from "./operations.ts";
import { sessionEvent } from "./session-events.ts";
import { type Session, sessionStaleAfterMs } from "./session-model.ts";
import { isSameType, runtimeOf, signalOf } from "./session-rules.ts";
import { insertSession } from "./session-store.ts";

interface NewSession extends Pick<Session, "provider" | "model" | "repo" | "branch" | "worktree"> {
  readonly agentName: string | null;
  /** What the agent says it is; a typed token knows better. */
  readonly reportedType: string | null;
}

export async function startSession(work: Work, ask: NewSession): Promise<{ session: Session; name: string }> {
  const { agentName, reportedType, ...fields } = ask;
  const tokenType = work.caller.agentType;
  const agentType = tokenType ?? reportedType;
  const name = agentName ?? agentType ?? "agent";
  const agent = await createAgent(work, {
    name,
    runtime: runtimeOf(agentType),
    role: "worker",
    capabilities: [],
    workspacePath: ask.worktree,
    metadata: {},
    staleAfterMs: sessionStaleAfterMs,
  });
  const session: Session = {
    ...fields,
    id: agent.id,
    developerId: work.caller.developerId,
    agentType,
    workingCopy: null,
    workingCopyAt: null,
    summary: null,
    createdAt: work.now,
    lastSeenAt: work.now,
    ...{ hookAt: null, watchAt: null, callAt: null, ...signalOf(work) },
    endedAt: null,
    version: 1,
  };
  await insertSession(work.db, session);
  const { provider, model, repo, branch } = session;
  const channels = [`agent:${session.id}`];
  work.record(
    sessionEvent.started(
      session.id,
      { agent_name: name, agent_type: agentType, provider, model, repo, branch },
      channels,
    ),
  );
  if (tokenType !== null && reportedType !== null && !isSameType(reportedType, tokenType)) {
    const types = { token_type: tokenType, reported_type: reportedType };
    work.record(sessionEvent.agentMismatched(session.id, types, channels));
  }
  return { session, name };
}
