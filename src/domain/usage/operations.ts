import { checkFits } from "../../contract/free-form.ts";
import type { AgentId, TaskId } from "../../contract/ids.ts";
import type { ModelPrice } from "../../contract/price.ts";
import { getOwnSession } from "../agent/session-operations.ts";
import { hashJson } from "../canonical-json.ts";
import { getTaskToWrite } from "../task/operations.ts";
import type { Work } from "../work.ts";
import type { Budget } from "./budget-model.ts";
import { spend } from "./budget-operations.ts";
import { spanEvent } from "./events.ts";
import type { Source, Span } from "./model.ts";
import { dollarsOf, nanosOf } from "./money-model.ts";
import { readPayload } from "./payload/read-payload.ts";
import { channelOf, decideCost } from "./rules.ts";
import { findSpanByPayload, insertSpan } from "./store.ts";

interface UseReport {
  readonly source: Source;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly submittedUsd: number | undefined;
  readonly sessionId: AgentId | undefined;
  readonly taskId: TaskId | undefined;
  readonly prices: readonly ModelPrice[];
}

interface RecordedUse {
  readonly span: Span;
  /** It had been reported before, and nothing was counted again. */
  readonly isRepeated: boolean;
  /** Limits that this use has passed. */
  readonly passed: readonly Budget[];
}

const largestPayload = 1024 * 1024;

/** Keeps the counters of a report and its hash. The report itself is gone when this returns (US5). */
export async function recordUse(work: Work, report: UseReport): Promise<RecordedUse> {
  const { source, payload, submittedUsd, sessionId, taskId } = report;
  checkFits("payload", payload, largestPayload);
  // A session that has ended may still have something to report.
  const session = sessionId === undefined ? undefined : await getOwnSession(work, sessionId);
  const task = taskId === undefined ? undefined : await getTaskToWrite(work, taskId);
  const reading = readPayload(source, payload);
  const payloadHash = hashJson(payload);
  const submittedNanos = submittedUsd === undefined ? null : nanosOf(submittedUsd);
  const cost = decideCost(reading, { submittedNanos, prices: report.prices });
  const known = await findSpanByPayload(work.db, work.caller.developerId, payloadHash);
  // Counted once, but what the sender thinks it cost is compared each time.
  if (known) return { span: { ...known, isMismatch: cost.isMismatch }, isRepeated: true, passed: [] };

  const { counters } = reading;
  const span: Span = {
    id: work.newId("span"),
    developerId: work.caller.developerId,
    sessionId: session?.id ?? null,
    taskId: task?.id ?? null,
    repo: session?.repo ?? null,
    source,
    channel: channelOf(source, work.madeBy),
    model: reading.model,
    inputTokens: counters.input,
    outputTokens: counters.output,
    cacheReadTokens: counters.cacheRead,
    cacheCreationTokens: counters.cacheCreation,
    reasoningTokens: counters.reasoning,
    totalTokens: counters.total,
    ...cost,
    costNanos: numberOrNull(cost.costNanos),
    submittedNanos: numberOrNull(cost.submittedNanos),
    payloadHash,
    createdAt: work.now,
  };
  await insertSpan(work.db, span);
  work.record(spanEvent.recorded(span.id, dataOf(span)));
  const { developerId } = span;
  const passed = await spend(
    work,
    [
      { kind: "developer", subjectId: developerId, owner: developerId },
      ...(task ? [{ kind: "task" as const, subjectId: task.id, owner: task.developerId }] : []),
    ],
    span.costNanos ?? 0,
  );
  return { span, isRepeated: false, passed };
}

/** Bounds on counters, prices and costs keep it below what a number holds exactly. */
const numberOrNull = (nanos: bigint | null): number | null => (nanos === null ? null : Number(nanos));

const dataOf = (span: Span) => ({
  session_id: span.sessionId,
  task_id: span.taskId,
  source: span.source,
  model: span.model,
  total_tokens: span.totalTokens,
  cost_usd: span.costNanos === null ? null : dollarsOf(span.costNanos),
  cost_source: span.costSource,
  cost_mismatch: span.isMismatch,
});
