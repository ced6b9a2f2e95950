import { AgentId, type InstanceId } from "../../contract/ids.ts";
import type { ProcessReport } from "../instance/launch-model.ts";
import {
  endInstance,
  goOnTold,
  hasRoom,
  launchProgram,
  noteProcessEnded,
  sayWords,
  takeOff,
} from "../instance/launch-operations.ts";
import type { Instance } from "../instance/model.ts";
import { findInstance, getInstance, listLaunched } from "../instance/queries.ts";
import {
  describeEarlyEnd,
  findChange,
  findOverrun,
  noteChange,
  noteTrouble,
  readCalls,
} from "../instance/watch-operations.ts";
import { sendWord } from "../message/operations.ts";
import type { SystemWork } from "../work.ts";
import { loseReview } from "./end-operations.ts";
import { launchReviewer } from "./errand-operations.ts";
import type { Review } from "./model.ts";
import type { ReviewLimits } from "./port.ts";
import { findLiveReview, findReview, listFrustrated, listLiveReviews } from "./queries.ts";

interface Round {
  readonly reports: ReadonlyMap<InstanceId, ProcessReport>;
  readonly limits: ReviewLimits;
  readonly mostAtOnce: number;
  readonly quietMs: number;
}

/** What the clock and the machine's processes mean for instances and reviews. */
export async function settleReviews(work: SystemWork, round: Round): Promise<void> {
  await settleEnded(work, round.reports);
  await settleWatched(work, round);
  await settleLate(work, round.limits);
  await settleFrustrated(work, round.limits);
  await startQueued(work, round.mostAtOnce);
}

/** Whether there may be anything to settle. */
export async function isSettlingDue(
  { db, place, now }: Pick<SystemWork, "db" | "place" | "now">,
  { reports, limits, quietMs }: Round,
): Promise<boolean> {
  const launched = await listLaunched(db, place);
  const calls = await readCalls(db, launched);
  const hasNews = (one: Instance): boolean => {
    const sight = { report: reports.get(one.id), calledAt: calls.get(one.id) ?? 0, quietMs, now };
    return findChange(one, sight) !== undefined;
  };
  if (launched.some(hasNews)) return true;
  if (launched.some(({ run }) => run?.state === "queued")) return true;
  if (launched.some(({ id, run }) => run?.state === "running" && reports.get(id)?.state === "ended")) return true;
  if ((await listLiveReviews(db)).some((review) => isLate(review, limits, now))) return true;
  for (const id of await listFrustrated(db, limits.autoAbandonAfter)) {
    if ((await findInstance(db, id))?.status === "started") return true;
  }
  return false;
}

const isLate = ({ outcome, requestedAt }: Review, { timeoutMs }: ReviewLimits, now: number): boolean =>
  outcome === "live" && requestedAt + timeoutMs <= now;

/** Programs that have ended, as they were seen before this transaction. */
async function settleEnded(work: SystemWork, reports: Round["reports"]): Promise<void> {
  const launched = await listLaunched(work.db, work.place);
  const calls = await readCalls(work.db, launched);
  for (const instance of launched) {
    const report = reports.get(instance.id);
    if (instance.run?.state !== "running" || report?.state !== "ended") continue;
    const calledAt = calls.get(instance.id) ?? 0;
    await follow(work, await noteProcessEnded(work, instance, report), { ...report, calledAt });
  }
}

/** Programs that run: who waits for a person, is silent, or has used more than it may (IN19–IN21). */
async function settleWatched(work: SystemWork, { reports, quietMs }: Round): Promise<void> {
  const launched = await listLaunched(work.db, work.place);
  const calls = await readCalls(work.db, launched);
  for (const instance of launched) {
    const sight = { report: reports.get(instance.id), calledAt: calls.get(instance.id) ?? 0, quietMs, now: work.now };
    const change = findChange(instance, sight);
    if (change === undefined) continue;
    const noted = await noteChange(work, instance, change);
    // Whoever was asked something could not be told anything.
    if (change.attention === null) sayWords(work, noted);
    const why = findOverrun(noted);
    if (why !== undefined) await endOverrun(work, noted, why);
  }
}

async function endOverrun(work: SystemWork, instance: Instance, why: string): Promise<void> {
  const noted = await noteTrouble(work, instance, { kind: "over_budget", reason: why });
  const review = await (instance.type === "review" ? findReview : findLiveReview)(work.db, instance.id);
  if (review?.outcome === "live") await loseReview(work, review, "stopped", why);
  if (instance.type !== "review") await endInstance(work, await getInstance(work.db, noted.id), { reason: why });
}

/** A coder that waits comes back for its next turn; whoever else has ended is over. */
async function follow(
  work: SystemWork,
  instance: Instance,
  end: { readonly at: number; readonly exitCode: number | null; readonly calledAt: number },
): Promise<void> {
  const isReview = instance.type === "review";
  const review = isReview ? await findReview(work.db, instance.id) : undefined;
  if (!isReview && instance.run !== null && instance.run.words !== null) return goOnTold(work, instance);
  if (isReview ? review?.outcome !== "live" : instance.status !== "started") return;
  const early = describeEarlyEnd(instance, end);
  const noted =
    early === undefined ? instance : await noteTrouble(work, instance, { kind: "ended_at_once", reason: early });
  if (review) return loseReview(work, review, "died", early);
  const how = end.exitCode === null ? "and nobody saw how" : `with code ${end.exitCode}`;
  await endInstance(work, noted, { reason: early ?? `Its program ended ${how}.` });
}

async function settleLate(work: SystemWork, limits: ReviewLimits): Promise<void> {
  for (const review of await listLiveReviews(work.db)) {
    if (isLate(review, limits, work.now)) await loseReview(work, review, "timed_out");
  }
}

/** Work that was sent back too often is given up; what is in its folder stays in the vault (RV13). */
async function settleFrustrated(work: SystemWork, { autoAbandonAfter }: ReviewLimits): Promise<void> {
  const ids = await listFrustrated(work.db, autoAbandonAfter);
  for (const id of ids) {
    const coder = await findInstance(work.db, id);
    if (coder?.status !== "started") continue;
    const reason = `${autoAbandonAfter === 1 ? "A review" : `${autoAbandonAfter} reviews`} found that it needs work.`;
    await endInstance(work, coder, { to: "abandoned", reason });
    await sendWord(work, {
      senderId: null,
      recipientId: AgentId.parse(id),
      subject: "Abandoned",
      body: `${reason} Nothing is lost: the branch is there, and what was not committed is in the vault.`,
      priority: "high",
    });
  }
}

/** Whoever has waited longest starts first. */
async function startQueued(work: SystemWork, mostAtOnce: number): Promise<void> {
  for (const instance of await listLaunched(work.db, work.place)) {
    if (instance.run?.state !== "queued") continue;
    if (!(await hasRoom(work, mostAtOnce))) break;
    const { id, run } = instance;
    const review = await findReview(work.db, id);
    const payload = await takeOff(work, instance);
    const errand = { key: `${id}/${run.turn}`, subject: id, payload };
    work.after(review ? launchReviewer.ask(errand) : launchProgram.ask(errand));
  }
}
