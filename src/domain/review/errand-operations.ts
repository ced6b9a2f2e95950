import { AgentId, type FeedbackId } from "../../contract/ids.ts";
import { type AnyErrandKind, defineErrand } from "../errand.ts";
import type { LaunchedInstance, LaunchInstance } from "../instance/launch-model.ts";
import { noteLaunched, noteLaunchFailed, tellInstance } from "../instance/launch-operations.ts";
import { getInstance } from "../instance/queries.ts";
import { sendWord } from "../message/operations.ts";
import type { SystemWork } from "../work.ts";
import { closeReview, goOn, loseReview } from "./end-operations.ts";
import { reviewEvent } from "./events.ts";
import type { DeliveredFeedback, DeliverFeedback } from "./port.ts";
import { getFeedback, getReview, listStillOpen } from "./queries.ts";
import { writeFeedback } from "./rules.ts";
import { saveFeedback } from "./store.ts";

/** Makes a reviewer's folder and starts its program there. */
export const launchReviewer = defineErrand<LaunchInstance, LaunchedInstance>({
  name: "review.launch",
  timeoutMs: 600_000,
  mostAttempts: 3,
  done: noteLaunched,
  async failed(work, payload, failure) {
    await noteLaunchFailed(work, payload, failure);
    const review = await getReview(work.db, payload.instanceId);
    if (review.endedAt === null) await loseReview(work, review, "died");
  },
});

type Delivery = DeliverFeedback & { readonly feedbackId: FeedbackId };

/** Brings feedback into the coder's branch and work tree, as far as that can be done. */
export const deliverFeedback = defineErrand<Delivery, DeliveredFeedback>({
  name: "review.deliver",
  timeoutMs: 120_000,
  mostAttempts: 4,
  done: (work, { feedbackId }, delivered) => bringHome(work, feedbackId, delivered),
  failed: (work, { feedbackId, head }, { code }) =>
    bringHome(work, feedbackId, { merge: null, commit: head, problem: `git could not be used (${code})` }),
});

export const reviewErrands: readonly AnyErrandKind[] = [launchReviewer, deliverFeedback];

/** However it went with git, the words arrive: as a message, and where it could be as a commit (RV9, RV10). */
async function bringHome(work: SystemWork, id: FeedbackId, delivered: DeliveredFeedback): Promise<void> {
  const { merge, commit, problem } = delivered;
  const feedback = await getFeedback(work.db, id);
  const delivery = problem === null ? "terminated" : `terminated; not merged: ${problem}; delivered as a message`;
  await saveFeedback(work.db, feedback, { commit: merge ?? commit, delivery });
  const { reviewId, coderId, round, type } = feedback;
  const data = { coder_id: coderId, round, feedback_id: id, git_commit_hash: merge ?? commit, merged: merge !== null };
  work.record(reviewEvent.feedbackDelivered(reviewId, data, [`instance:${coderId}`]));
  const review = await getReview(work.db, reviewId);
  if (review.endedAt === null) {
    await closeReview(work, review, { outcome: "feedback", reason: "It gave its feedback.", hasSpoken: true });
  }
  await goOn(work, await getInstance(work.db, coderId), `review ${reviewId}: ${type}`);
  const body = writeFeedback(feedback, await listStillOpen(work.db, feedback));
  await sendWord(work, {
    senderId: AgentId.parse(reviewId),
    recipientId: AgentId.parse(coderId),
    subject: `Review round ${round}: ${type}`,
    body,
    priority: "high",
  });
  await tellInstance(work, coderId, body);
}
