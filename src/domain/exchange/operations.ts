import type { AgentId, DeveloperId, SharedContextId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { useNamedSession } from "../agent/session-operations.ts";
import { getTask } from "../task/queries.ts";
import type { SystemWork, Work } from "../work.ts";
import { contextEvent } from "./events.ts";
import { isActive, type SharedContext } from "./model.ts";
import { findContext, listActiveContexts } from "./queries.ts";
import { guardPublisher, insertContext, saveContext, shortenContexts } from "./store.ts";

const hourMs = 3_600_000;

type NewContext = Pick<
  SharedContext,
  "repo" | "branch" | "title" | "summary" | "files" | "nextActions" | "blockers" | "taskIds"
> & { readonly sessionId: AgentId | undefined; readonly ttlHours: number };

/**
 * Tells the team where the caller's work stands, in the place of what they last said for the same repository and branch.
 * Where it names none, they are its session's.
 */
export async function publishContext(
  work: Work,
  ask: NewContext,
): Promise<{ context: SharedContext; supersedes: SharedContextId | null }> {
  const session = await useNamedSession(work, ask.sessionId);
  const { ttlHours, ...said } = ask;
  const place = { repo: ask.repo ?? session?.repo ?? null, branch: ask.branch ?? session?.branch ?? null };
  for (const id of ask.taskIds) await getTask(work.db, id);
  const { developerId } = work.caller;
  await guardPublisher(work.db, developerId);
  const previous = await listActiveContexts(work.db, { developerId, place, now: work.now, limit: 10 });
  const context: SharedContext = {
    ...said,
    ...place,
    sessionId: session?.id ?? null,
    id: work.newId("sharedContext"),
    developerId,
    expiresAt: work.now + ttlHours * hourMs,
    revokedAt: null,
    supersededBy: null,
    createdAt: work.now,
    version: 1,
  };
  for (const old of previous) await saveContext(work.db, old, { supersededBy: context.id });
  await insertContext(work.db, context);
  const supersedes = previous[0]?.id ?? null;
  const { repo, branch, title } = context;
  const expires_at = new Date(context.expiresAt).toISOString();
  work.record(contextEvent.published(context.id, { repo, branch, title, expires_at, supersedes }));
  return { context, supersedes };
}

/** The newest of what a developer has published and still stands by; what a handoff passes on. */
export async function findLatestContext(
  db: Db,
  ask: { developerId: DeveloperId; now: number },
): Promise<SharedContext | undefined> {
  return (await listActiveContexts(db, { ...ask, limit: 1 }))[0];
}

/** Withdraws a context of the caller's own at once. Answers whether there was still something to withdraw. */
export async function revokeContext(
  work: Work,
  { id, sessionId }: { id: SharedContextId; sessionId: AgentId | undefined },
): Promise<boolean> {
  await useNamedSession(work, sessionId);
  const context = await findContext(work.db, id);
  if (!context) throw unknownContext();
  if (context.developerId !== work.caller.developerId) {
    throw new Refusal("FORBIDDEN", "That context is another developer's.", "Only who published it can withdraw it.");
  }
  if (!isActive(context, work.now)) return false;
  await saveContext(work.db, context, { revokedAt: work.now });
  const { repo, branch } = context;
  work.record(contextEvent.revoked(id, { repo, branch }));
  return true;
}

/** An active context by its id; one that is over is as good as unknown. */
export async function getActiveContext(db: Db, id: SharedContextId, now: number): Promise<SharedContext> {
  const context = await findContext(db, id);
  if (!context || !isActive(context, now)) throw unknownContext();
  return context;
}

export const unknownContext = (): Refusal =>
  new Refusal("NOT_FOUND", "No active context has that id.", nextStep("listContexts"));

/** No context is valid for longer than was said, whatever the clock said when it was published. */
export const settleContexts = (work: SystemWork): Promise<void> => shortenContexts(work.db, work.now);
