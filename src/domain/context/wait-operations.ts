import { longestWaitMs, patienceOf, plainWaitMs } from "../../contract/client-patience.ts";
import type { AgentId, WorkflowId } from "../../contract/ids.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { checkOwner } from "../agent/operations.ts";
import { getAgent } from "../agent/queries.ts";
import { seqOf } from "../ledger/operations.ts";
import { listEntries, readHead } from "../ledger/queries.ts";
import { hearNotices } from "../message/notice-operations.ts";
import type { Look } from "../port.ts";
import type { SystemWork } from "../work.ts";
import type { Heard, HeardPlace, Listener, NewsKind } from "./news-model.ts";
import { listNews } from "./news-operations.ts";
import { findHeard, listOwnAgentIds, listTasksOf, listTasksWithoutAgent } from "./news-queries.ts";
import { keysOfListener } from "./news-rules.ts";
import { saveHeard } from "./news-store.ts";
import type { Roused } from "./port.ts";

interface WaitAsk {
  readonly agentId: AgentId | undefined;
  readonly workflowId: WorkflowId | undefined;
  readonly kinds: readonly NewsKind[];
  readonly timeoutMs: number | undefined;
  readonly cursor: string | undefined;
}

export interface Waited extends Heard {
  readonly ended: "news" | Exclude<Roused, "event">;
  readonly waitedMs: number;
  /** How long it would have waited. */
  readonly limitMs: number;
}

/** An answer holds at most so many; the rest come at once with the next. */
const mostNews = 10;

/**
 * Waits until something concerns an agent. Between two commits that may be about it nothing is done at all: the store
 * is asked at the beginning and when something was heard.
 */
export async function waitForNews(look: Look, ask: WaitAsk): Promise<Waited> {
  const agentId = chooseAgent(look, ask.agentId);
  const limitMs = limitOf(look, ask.timeoutMs);
  await look.read((db) => readListener(db, look, { ...ask, agentId }));
  const after = await look.read((db) => startingPlace(db, look, { agentId, cursor: ask.cursor }));
  const { developerId } = look.caller;
  const ear = look.ports.context.listen({
    agentId,
    developerId,
    limitMs,
    signal: look.signal,
    ...tellsOf(look, limitMs),
  });
  try {
    for (;;) {
      const listener = await look.read((db) => readListener(db, look, { ...ask, agentId }));
      ear.attend(keysOfListener(listener, agentId === null));
      const heard = await look.read((db) =>
        listNews(db, { listener, kinds: ask.kinds, after, now: look.now + ear.waitedMs, limit: mostNews }),
      );
      const roused = heard.news.length > 0 ? "event" : await ear.sleep();
      if (roused === "event" && heard.news.length === 0) continue;
      look.signal.throwIfAborted();
      if (agentId !== null) await keepPlace(look, agentId, { after, heard });
      return { ...heard, ended: roused === "event" ? "news" : roused, waitedMs: ear.waitedMs, limitMs };
    }
  } finally {
    ear.close();
  }
}

function chooseAgent({ connection }: Look, named: AgentId | undefined): AgentId | null {
  if (named !== undefined) return named;
  const [only, ...others] = connection.agents;
  if (others.length === 0) return only ?? null;
  throw new Refusal(
    "INVALID_REQUEST",
    "Several agents have registered on this connection.",
    "Say which one waits with agent_id.",
  );
}

/** What was asked for, as long as neither the client nor the call's own limit is over before. */
function limitOf({ connection, timeoutMs }: Look, askedMs: number | undefined): number {
  const patienceMs = patienceOf(connection.client);
  const wantedMs = askedMs ?? (connection.client ? patienceMs : plainWaitMs);
  const ownMs = timeoutMs > 0 ? Math.max(timeoutMs - 1_000, timeoutMs / 2) : longestWaitMs;
  return Math.min(wantedMs, patienceMs, ownMs);
}

function tellsOf({ progress }: Look, limitMs: number): { progress?: (seconds: number) => void } {
  const total = Math.round(limitMs / 1_000);
  return progress ? { progress: (seconds) => progress(seconds, total, "Waiting: nothing has come yet.") } : {};
}

/** Who listens, as of now: tasks are taken and agents join while somebody waits. */
async function readListener(
  db: Db,
  { caller }: Pick<Look, "caller">,
  ask: { readonly agentId: AgentId | null; readonly workflowId: WorkflowId | undefined },
): Promise<Listener> {
  const { developerId } = caller;
  if (ask.agentId !== null) {
    const agent = await getAgent(db, ask.agentId);
    checkOwner(agent, caller);
    if (agent.status === "offline") {
      throw new Refusal("INVALID_STATE", `Agent ${agent.id} is offline.`, nextStep("registerAgain"));
    }
  }
  const agents = ask.agentId === null ? await listOwnAgentIds(db, developerId) : [ask.agentId];
  const tasks = [...(await listTasksOf(db, agents)), ...(await listTasksWithoutAgent(db, developerId))];
  const workflows = tasks.flatMap(({ workflowId }) => workflowId ?? []);
  return {
    developerId,
    agents: new Set(agents),
    tasks: new Set(tasks.map(({ id }) => id)),
    workflows: new Set(ask.workflowId === undefined ? workflows : [...workflows, ask.workflowId]),
  };
}

/**
 * From where to listen: the cursor; else from where this agent has heard everything; else from its registration. A
 * call that comes again, because its answer was lost, begins where it began.
 */
async function startingPlace(
  db: Db,
  { callKey }: Pick<Look, "callKey">,
  { agentId, cursor }: { readonly agentId: AgentId | null; readonly cursor: string | undefined },
): Promise<number> {
  const head = await readHead(db);
  if (cursor !== undefined) {
    const place = seqOf(cursor);
    if (place <= head.seq) return place;
    throw new Refusal("INVALID_REQUEST", "That cursor is beyond the end of the ledger.", "Start without a cursor.");
  }
  if (agentId === null) return head.seq;
  const heard = await findHeard(db, agentId);
  if (heard) return heard.callKey !== null && heard.callKey === callKey ? heard.fromSeq : heard.seq;
  const [joined] = await listEntries(db, {
    after: 0,
    limit: 1,
    kind: "agent.registered",
    subject: agentId,
    newestFirst: { before: undefined },
  });
  return joined?.seq ?? head.seq;
}

const keptEvery = 1_000;

async function keepPlace(
  { ports, callKey }: Look,
  agentId: AgentId,
  { after, heard }: { readonly after: number; readonly heard: Heard },
): Promise<void> {
  // Beyond what was heard of nothing has to be kept but that it need not be looked at again.
  if (heard.news.length === 0 && heard.place - after < keptEvery) return;
  const noticeIds = heard.news.flatMap(({ noticeId }) => noticeId ?? []);
  await ports.context.keepHeard({ agentId, place: { seq: heard.place, fromSeq: after, callKey }, noticeIds });
}

/** Writes down up to where an agent has heard everything. */
export async function noteHeard(
  work: SystemWork,
  { agentId, place, noticeIds }: { agentId: AgentId; place: HeardPlace; noticeIds: readonly string[] },
): Promise<void> {
  await saveHeard(work.db, agentId, place);
  await hearNotices(work, noticeIds);
}
