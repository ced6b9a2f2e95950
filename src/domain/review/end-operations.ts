import { AgentId } from "../../contract/ids.ts";
import { endInstance, tellInstance } from "../instance/launch-operations.ts";
import type { Instance } from "../instance/model.ts";
import { moveInstance } from "../instance/operations.ts";
import { getInstance } from "../instance/queries.ts";
import { sendWord } from "../message/operations.ts";
import type { SystemWork } from "../work.ts";
import { reviewEvent } from "./events.ts";
import { openItems, type Review } from "./model.ts";
import { findLiveReview, getReview, listFeedback } from "./queries.ts";
import { checkIsLive, settleItems } from "./rules.ts";
import { saveFeedback, saveReview } from "./store.ts";

/** A program that has just spoken may finish what it says. */
const farewellMs = 10_000;

/** Ends a round: the row, the event, and the reviewer with its folder. */
export async function closeReview(
  work: SystemWork,
  review: Review,
  ask: { outcome: Review["outcome"]; reason: string; hasSpoken: boolean },
): Promise<void> {
  await saveReview(work.db, review, { outcome: ask.outcome, endedAt: work.now });
  const { id, coderId, round } = review;
  work.record(reviewEvent.ended(id, { coder_id: coderId, round, outcome: ask.outcome }, [`instance:${coderId}`]));
  const reviewer = await getInstance(work.db, id);
  if (reviewer.status !== "started") return;
  await endInstance(work, reviewer, { reason: ask.reason, graceMs: ask.hasSpoken ? farewellMs : 0 });
}

const lost = {
  died: { reason: "Its program ended without a verdict.", word: "ended without a verdict" },
  timed_out: { reason: "It took longer than a review may.", word: "took too long and was ended" },
  stopped: { reason: "A person stopped it.", word: "was stopped" },
} as const;

/** A round that ends without a verdict: the coder goes on, and is told. It counts as a round, not as needs_work (RV7). */
export async function loseReview(
  work: SystemWork,
  review: Review,
  outcome: keyof typeof lost,
  why?: string,
): Promise<void> {
  const { word } = lost[outcome];
  const reason = why ?? lost[outcome].reason;
  await closeReview(work, review, { outcome, reason, hasSpoken: false });
  await goOn(work, await getInstance(work.db, review.coderId), `review ${review.id} ${word}`);
  const more = why === undefined ? "" : ` ${why}`;
  const body = `Review ${review.id} ${word}.${more} You can go on, and ask for another round.`;
  await sendWord(work, {
    senderId: null,
    recipientId: AgentId.parse(review.coderId),
    subject: `Review round ${review.round}: no verdict`,
    body,
    priority: "high",
  });
  await tellInstance(work, review.coderId, body);
}

/** Only a reviewer whose round is under way approves (RV19). */
export async function checkMayApprove({ db }: Pick<SystemWork, "db">, { id }: Instance): Promise<void> {
  checkIsLive(await getReview(db, id));
}

/** Whoever waited for a review works again. */
export async function goOn(work: SystemWork, coder: Instance, reason: string): Promise<Instance> {
  return coder.status === "waiting_review" ? moveInstance(work, coder, "started", { reason }) : coder;
}

/**
 * A pull request ends the round (RV8). One by the reviewer approves the coder's work; one by the coder itself needs no
 * verdict any more. Answers the instance whose work it is, with the pull request noted.
 */
export async function endReviewWithPull(
  work: SystemWork,
  caller: Instance,
  pull: { readonly number: number; readonly url: string },
): Promise<Instance> {
  const review =
    caller.type === "review" ? await getReview(work.db, caller.id) : await findLiveReview(work.db, caller.id);
  const author = review ? await getInstance(work.db, review.coderId) : caller;
  const moved = await moveInstance(work, author, "pr_created", { pullNumber: pull.number, pullUrl: pull.url });
  if (!review || review.endedAt !== null) return moved;
  if (caller.type === "review") {
    await settleAll(work, review);
    await closeReview(work, review, { outcome: "approved", reason: "It approved the work.", hasSpoken: true });
    await sendWord(work, {
      senderId: AgentId.parse(caller.id),
      recipientId: AgentId.parse(author.id),
      subject: `Review round ${review.round}: approved`,
      body: `Your work is approved; pull request ${pull.number} is open: ${pull.url}`,
      priority: "normal",
    });
  } else {
    await closeReview(work, review, {
      outcome: "superseded",
      reason: "The coder opened a pull request.",
      hasSpoken: false,
    });
  }
  return moved;
}

/** Whoever approves finds done what earlier rounds asked for (RV20). */
async function settleAll(work: SystemWork, { coderId, round }: Review): Promise<void> {
  const given = await listFeedback(work.db, coderId);
  const names = openItems(given).map(({ name }) => name);
  for (const { feedback, items } of settleItems(given, names, round)) await saveFeedback(work.db, feedback, { items });
}
