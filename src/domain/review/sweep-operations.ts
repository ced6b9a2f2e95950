import { AgentId, type InstanceId } from "../../contract/ids.ts";
import type { ProcessReport } from "../instance/launch-model.ts";
import {
  endInstance,
  goOnTold,
  hasRoom,
  launchProgram,
  noteProcessEnded,
  takeOff,
} from "../instance/launch-operations.ts";
import type { Instance } from "../instance/model.ts";
import { findInstance, listLaunched } from "../instance/queries.ts";
import { sendWord } from "../message/operations.ts";
import type { SystemWork } from "../work.ts";
import { loseReview } from "./end-operations.ts";
import { launchReviewer } from "./errand-operations.ts";
import type { Review } from "./model.ts";
import type { ReviewLimits } from "./port.ts";
import { findReview, listFrustrated, listLiveReviews } from "./queries.ts";

interface Round {
  readonly reports: ReadonlyMap<InstanceId, ProcessReport>;
  readonly limits: ReviewLimits;
  readonly mostAtOnce: number;
}

/** What the clock and the machine's processes mean for instances and reviews. */
export async function settleReviews(work: SystemWork, round: Round): Promise<void> {
  await settleEnded(work, round.reports);
  await settleLate(work, round.limits);
  await settleFrustrated(work, round.limits);
  await startQueued(work, round.mostAtOnce);
}

/** Whether there may be anything to settle. */
export async function isSettlingDue(
  { db, place, now }: Pick<SystemWork, "db" | "place" | "now">,
  { reports, limits }: Round,
): Promise<boolean> {
  const launched = await listLaunched(db, place);
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
  for (const instance of await listLaunched(work.db, work.place)) {
    const report = reports.get(instance.id);
    if (instance.run?.state !== "running" || report?.state !== "ended") continue;
    await follow(work, await noteProcessEnded(work, instance, report), report.exitCode);
  }
}

/** A coder that waits comes back for its next turn; whoever else has ended is over. */
async function follow(work: SystemWork, instance: Instance, exitCode: number | null): Promise<void> {
  if (instance.type === "review") {
    const review = await findReview(work.db, instance.id);
    if (review?.outcome === "live") await loseReview(work, review, "died");
    return;
  }
  if (instance.run !== null && instance.run.words !== null) return goOnTold(work, instance);
  if (instance.status !== "started") return;
  const how = exitCode === null ? "and nobody saw how" : `with code ${exitCode}`;
  await endInstance(work, instance, { reason: `Its program ended ${how}.`, keepsFolder: true });
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
    const reason = `${autoAbandonAfter} reviews found that it needs work.`;
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
