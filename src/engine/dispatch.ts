import { type Caller, isCallerOf } from "../contract/caller.ts";
import { type Failure, failureOf } from "../contract/envelope.ts";
import { feedbackEvent, type HouseEvent } from "../contract/event.ts";
import { AgentId, type InstanceId } from "../contract/ids.ts";
import { Refusal } from "../contract/refusal.ts";
import { Told } from "../contract/told.ts";
import type { AnyTool } from "../contract/tool.ts";
import { unfitArguments } from "../contract/unfit-arguments.ts";
import type { ErrandAsk } from "../domain/errand.ts";
import type { Work } from "../domain/work.ts";
import type { Db } from "../storage/db.ts";
import { untilAborted } from "../storage/scoped-db.ts";
import type { PendingEntry } from "../storage/store.ts";
import { findAnswer, insertAnswer } from "./answers.ts";
import type { Call, Progress, Reply, Stage } from "./call.ts";
import { insertErrands } from "./errands/store.ts";
import type { House } from "./house.ts";
import { guardPorts } from "./reach.ts";
import { newId, placeOf } from "./sources.ts";
import { limitTime, timeoutOf } from "./time-limit.ts";
import { untilFresh } from "./until-fresh.ts";
import { type Usage, unknownToolName, usageEntry } from "./usage.ts";

/** The only way in. Every transport builds a Call, and every Call passes these lines in this order. */
export function dispatch(house: House, call: Call): Promise<Reply> {
  return house.usage.during(answer(house, call));
}

async function answer(house: House, call: Call): Promise<Reply> {
  const callId = newId(house.sources, "call");
  const startedAt = house.sources.now();
  const attempt: Attempt = {
    house,
    call,
    callId,
    startedAt,
    tool: undefined,
    facts: undefined,
    errands: [],
    appeared: [],
    instanceId: call.caller.instanceId,
    hasLeftUsage: false,
  };
  try {
    const tool = findTool(house, call);
    attempt.tool = tool;
    checkCaller(tool, call.caller);
    const input = readInput(tool, call.args);
    const limit = limitTime({ settings: house.settings, tool, input }, call.signal);
    try {
      attempt.facts = await observe(attempt, tool, input, limit.signal);
      const value = await (tool.effect === "read"
        ? readOnce(attempt, tool, input, limit.signal)
        : change(attempt, tool, input, limit.signal));
      if (house.settings.checksReplies) tool.output.parse(value);
      const endedAt = house.sources.now();
      noteLife(attempt, tool);
      if (!attempt.hasLeftUsage) house.usage.add(usageOf(attempt, "ok", { answer: value }));
      house.metrics.countCall(tool.name, "ok", endedAt - startedAt);
      return { ok: true, value: await withNotices(attempt, tool, value), callId, startedAt, endedAt };
    } finally {
      limit.clear();
    }
  } catch (error) {
    const failure = { ...failureOf(error, callId, attempt.tool?.nextSteps), ...namesOf(attempt) };
    if (failure.code === "INTERNAL") house.log.error({ err: error, callId, tool: call.tool }, "a call failed");
    if (!attempt.hasLeftUsage) {
      house.usage.add(usageOf(attempt, failure.code === "INTERNAL" ? "error" : "refused", { code: failure.code }));
    }
    house.metrics.countCall(attempt.tool?.name ?? "unknown", failure.code, house.sources.now() - startedAt);
    const stage = stageOf(attempt, failure);
    return { ok: false, failure, stage, family: attempt.tool?.family, callId, startedAt, endedAt: house.sources.now() };
  }
}

function noteInstance(attempt: Attempt, id: InstanceId): void {
  attempt.instanceId = id;
}

/** What a refusal says of itself beside its code, where the tool wants that (IN8). */
function namesOf({ tool, instanceId }: Attempt): Record<string, string> {
  if (!tool?.isNamedInRefusals) return {};
  return { tool_name: tool.name, ...(instanceId === null ? {} : { instance_id: instanceId }) };
}

/** An answer with what its agent was left word of meanwhile (NC1); only an object can carry it. */
async function withNotices(attempt: Attempt, tool: AnyTool, value: unknown): Promise<unknown> {
  const { house, call } = attempt;
  if (call.leavesNotices || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const agents = [...agentsOf(attempt, tool), ...(call.connection?.agents ?? [])];
  const notices = await house.notices.take(call.caller.developerId, agents);
  return notices.length === 0 ? value : { ...value, notices };
}

/** The agents a call was made for: the one it names, if that is its own, and the instance that it comes from. */
function agentsOf(attempt: Attempt, tool: AnyTool): AgentId[] {
  const actor = tool.actor?.isOnlyLookedAt ? undefined : AgentId.safeParse(actorOf(attempt)).data;
  // A launched instance is known by its token, whatever it calls.
  const { instanceId } = attempt.call.caller;
  return [
    ...(actor === undefined ? [] : [actor]),
    ...(instanceId === null || instanceId === String(actor) ? [] : [AgentId.parse(instanceId)]),
  ];
}

/** A call that was granted is a sign of life of the agent it was made for, and of everyone it has registered (AG22). */
function noteLife(attempt: Attempt, tool: AnyTool): void {
  const { house, call, appeared } = attempt;
  for (const id of [...appeared, ...agentsOf(attempt, tool)]) {
    house.presence.called(id, call.caller.developerId, call.connection);
  }
}

function stageOf(attempt: Attempt, failure: Failure): Stage {
  if (attempt.tool === undefined) return "lookup";
  return failure.code === "INVALID_REQUEST" ? "arguments" : "work";
}

interface Attempt {
  readonly house: House;
  readonly call: Call;
  readonly callId: string;
  readonly startedAt: number;
  tool: AnyTool | undefined;
  /** What the tool found out before its transaction; a retry after a lost race uses the same. */
  facts: unknown;
  /** The outside work that was committed with the change. */
  errands: readonly ErrandAsk[];
  /** Agents that have registered in this call. */
  appeared: readonly AgentId[];
  /** Who calls, where that is an instance. */
  instanceId: InstanceId | null;
  /** A change commits its usage event with its effect; everything else leaves it with the write-behind log. */
  hasLeftUsage: boolean;
}

function findTool(house: House, call: Call): AnyTool {
  const tool = house.tools.get(call.tool);
  if (!tool || call.isExcluded?.(tool.name)) {
    throw new Refusal("NOT_FOUND", "There is no tool of that name here.", "List the tools, or search with find_tools.");
  }
  return tool;
}

function checkCaller(tool: AnyTool, caller: Caller): void {
  if (!isCallerOf(caller, tool.callers)) {
    throw new Refusal("FORBIDDEN", `${tool.name} is not for this kind of token.`, "Use a person's own token for it.");
  }
}

/** Arguments that the tool's own schema has let through. */
type ToolInput = Record<string, unknown>;

function readInput(tool: AnyTool, args: unknown): ToolInput {
  const given = args === undefined ? {} : args;
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw unfitArguments(parsed.error, given, tool.input);
}

/** Looks at the world outside, with the time limit of the call but without a transaction. */
async function observe(attempt: Attempt, tool: AnyTool, input: ToolInput, signal: AbortSignal): Promise<unknown> {
  const { house, call } = attempt;
  if (!tool.observe || (await isAnswered(attempt, tool, input, signal))) return undefined;
  signal.throwIfAborted();
  const read = <T>(body: (db: Db) => Promise<T>): Promise<T> => house.store.read(body, { signal });
  const look = tool.observe(input, {
    caller: call.caller,
    folder: call.folder ?? process.cwd(),
    seat: { role: undefined, isHere: false, ...call.seat, folder: call.folder },
    now: house.sources.now(),
    place: placeOf(house.sources),
    ports: guardPorts(house.ports, read),
    signal,
    connection: { agents: [...(call.connection?.agents ?? [])], client: call.client },
    timeoutMs: timeoutOf(house.settings, tool, input),
    callKey: call.idempotencyKey ?? null,
    progress:
      call.onProgress &&
      ((progress: number, total: number, message: string) => tellProgress(call, signal, { progress, total, message })),
    read,
    actsAs: (id: InstanceId) => noteInstance(attempt, id),
    record: (event: HouseEvent) =>
      house.usage.add({
        ...event,
        at: house.sources.now(),
        developerId: call.caller.developerId,
        callId: attempt.callId,
      }),
  });
  return untilAborted(look, signal);
}

/** A repeated call is answered as the first time, whatever the world has become through it. */
async function isAnswered(
  { house, call }: Attempt,
  tool: AnyTool,
  input: ToolInput,
  signal: AbortSignal,
): Promise<boolean> {
  const key = call.idempotencyKey;
  if (key === undefined || tool.effect === "read") return false;
  const { developerId } = call.caller;
  const first = await house.store.read((db) => findAnswer(db, { developerId, key, tool: tool.name, input }), {
    signal,
  });
  return first !== undefined;
}

async function readOnce(attempt: Attempt, tool: AnyTool, input: ToolInput, signal: AbortSignal): Promise<unknown> {
  const { house, call, callId } = attempt;
  signal.throwIfAborted();
  const left = leaveNothing();
  const value = await house.store.read(
    // Whoever only reads is warned and nothing is kept of it.
    async (db) => Told.of(await tool.handle(input, workOf(attempt, db, left, signal), attempt.facts)).answer,
    {
      signal,
    },
  );
  signal.throwIfAborted();
  // What was measured on the way changes nothing, so it is written behind the answer, as its usage is (LG21).
  const [at, { developerId }] = [house.sources.now(), call.caller];
  for (const event of left.events) house.usage.add({ ...event, at, developerId, callId });
  return value;
}

/** Commits a change; then its outside work begins, and a tool that says so waits for it and reads again what is true. */
async function change(attempt: Attempt, tool: AnyTool, input: ToolInput, signal: AbortSignal): Promise<unknown> {
  const { house } = attempt;
  if (tool.enter) await untilFresh(() => enterOnce(attempt, tool, input, signal), signal);
  const value = await untilFresh(() => changeOnce(attempt, tool, input, signal), signal);
  if (attempt.errands.length > 0) house.errands.poke();
  const { afterwards } = tool;
  if (!afterwards) return value;
  const subjects = attempt.errands.filter((ask) => house.errands.canDo(ask)).map((ask) => ask.subject);
  if (subjects.length > 0) await house.errands.whenQuiet(subjects, afterwards.waitMs, signal);
  return house.store.read((db) => afterwards.read(value, workOf(attempt, db, leaveNothing(), signal)));
}

/** What is true by the call having come, whatever becomes of it: a transaction of its own. */
async function enterOnce(attempt: Attempt, tool: AnyTool, input: ToolInput, signal: AbortSignal): Promise<void> {
  const { house, call } = attempt;
  // What was answered before looked at nothing this time.
  if (attempt.facts === undefined) return;
  await house.store.transact(
    async (db) => {
      const left = leaveNothing();
      await tool.enter?.(input, workOf(attempt, db, left, signal), attempt.facts);
      const at = house.sources.now();
      const { developerId } = call.caller;
      const entries = left.events.map((event) => ({ ...event, at, developerId, callId: attempt.callId }));
      return { value: undefined, entries };
    },
    { signal },
  );
}

async function changeOnce(attempt: Attempt, tool: AnyTool, input: ToolInput, signal: AbortSignal): Promise<unknown> {
  const { house, call } = attempt;
  const key = call.idempotencyKey;
  const { developerId } = call.caller;
  const { value, isReplay } = await house.store.transact(
    async (db) => {
      const first = key === undefined ? undefined : await findAnswer(db, { developerId, key, tool: tool.name, input });
      if (first) {
        return { value: { value: first.value, isReplay: true }, entries: [usageOf(attempt, "replayed")] };
      }
      const left = leaveNothing();
      const work = workOf(attempt, db, left, signal);
      const { answer, feedback } = Told.of(await tool.handle(input, work, attempt.facts));
      for (const one of feedback) work.record(feedbackEvent(one));
      if (key !== undefined) {
        const createdAt = attempt.startedAt;
        const value: unknown = tool.withoutSecrets ? tool.withoutSecrets(answer) : answer;
        await insertAnswer(db, { developerId, key, tool: tool.name, input, value, createdAt });
      }
      const at = house.sources.now();
      await insertErrands(db, left.errands, {
        now: at,
        place: placeOf(house.sources),
        developerId,
        callId: attempt.callId,
        newId: () => newId(house.sources, "errand"),
      });
      attempt.errands = left.errands;
      attempt.appeared = left.appeared;
      const actor = actorOf(attempt);
      const entries: PendingEntry[] = left.events.map((event) => ({
        ...event,
        data: { ...event.data, ...alsoCalled(tool, actor) },
        channels: actor === undefined ? event.channels : [...new Set([...event.channels, `agent:${actor}`])],
        at,
        developerId,
        callId: attempt.callId,
      }));
      return { value: { value: answer, isReplay: false }, entries: [...entries, usageOf(attempt, "ok", { answer })] };
    },
    { signal, kind: tool.name },
  );
  if (isReplay) house.log.debug({ callId: attempt.callId }, "answered as the first time");
  attempt.hasLeftUsage = true;
  return value;
}

/** What an operation leaves behind beside its rows. */
interface Left {
  readonly events: HouseEvent[];
  readonly errands: ErrandAsk[];
  readonly appeared: AgentId[];
}

const leaveNothing = (): Left => ({ events: [], errands: [], appeared: [] });

function workOf(attempt: Attempt, db: Db, left: Left, signal: AbortSignal): Work {
  const { house, call } = attempt;
  return {
    db,
    caller: call.caller,
    now: house.sources.now(),
    signal,
    place: placeOf(house.sources),
    isOpen: !house.ports.project.isLocal,
    connection: {
      key: call.connection?.key ?? null,
      appears: (id) => void left.appeared.push(id),
      isElsewhere: (id) => house.presence.isElsewhere(id, call.connection),
    },
    folder: call.folder,
    madeBy: call.madeBy,
    isExcluded: call.isExcluded,
    newId: (kind) => newId(house.sources, kind),
    randomBytes: (count) => house.sources.randomBytes(count),
    record: (event) => void left.events.push(event),
    after: (errand) => void left.errands.push(errand),
    progress: (progress, total, message) => tellProgress(call, signal, { progress, total, message }),
    actsAs: (id) => noteInstance(attempt, id),
  };
}

/** Work that was given up may run on for a while, but nobody hears of it. */
function tellProgress(call: Call, signal: AbortSignal, progress: Progress): void {
  if (!signal.aborted) call.onProgress?.(progress);
}

/** The agent on whose behalf a call is made; asked only once the call was granted (ID18). */
function actorOf({ call, tool }: Attempt): string | undefined {
  if (tool?.actor === undefined) return undefined;
  const actor = (call.args as Record<string, unknown> | undefined)?.[tool.actor.key];
  return typeof actor === "string" ? actor : undefined;
}

/** The same under the name that the tool's family has for it. */
const alsoCalled = (tool: AnyTool | undefined, actor: string | undefined): Record<string, string> =>
  actor === undefined || tool?.actor?.alsoCalled === undefined ? {} : { [tool.actor.alsoCalled]: actor };

/** Who acted, as the usage log has it. */
function actorIn(attempt: Attempt): Record<string, string> {
  const actor = actorOf(attempt);
  return actor === undefined ? {} : { agent_id: actor, ...alsoCalled(attempt.tool, actor) };
}

function usageOf(
  attempt: Attempt,
  outcome: Usage["outcome"],
  { code, answer }: { code?: string; answer?: unknown } = {},
): PendingEntry {
  const { house, call, callId, startedAt, tool } = attempt;
  const args = (typeof call.args === "object" && call.args !== null ? call.args : {}) as Record<string, unknown>;
  const operation = tool?.operations && typeof args["operation"] === "string" ? args["operation"] : undefined;
  const now = house.sources.now();
  return usageEntry(
    {
      tool: tool?.name ?? unknownToolName(call.tool),
      operation: operation !== undefined && tool?.operations?.[operation] ? operation : undefined,
      outcome,
      status: tool && statusOf(tool, code, answer),
      ...(code === undefined ? {} : { code }),
      transport: call.transport,
      durationMs: now - startedAt,
      actor: outcome === "ok" ? actorIn(attempt) : {},
    },
    now,
    call.caller.developerId,
    callId,
  );
}

function statusOf(tool: AnyTool, code: string | undefined, answer: unknown): string | undefined {
  if (!tool.statusOf) return undefined;
  if (code !== undefined) return "error";
  return answer === undefined ? undefined : tool.statusOf(answer);
}
