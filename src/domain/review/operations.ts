import { AgentId, type InstanceId, type TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { findAgent } from "../agent/queries.ts";
import { listCollisionsOf } from "../forecast/queries.ts";
import type { LaunchPlan } from "../instance/launch-model.ts";
import { createLaunched, hasRoom, takeOff } from "../instance/launch-operations.ts";
import type { Budget, Instance } from "../instance/model.ts";
import { getCalling, lookWhoCalls, moveInstance, type Sighting } from "../instance/operations.ts";
import { findInstance, getInstance } from "../instance/queries.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { deliverFeedback, launchReviewer } from "./errand-operations.ts";
import { reviewEvent } from "./events.ts";
import { type Feedback, type FeedbackItem, nameItems, type Review } from "./model.ts";
import type { DiffShape, ReviewLimits } from "./port.ts";
import { type EarlierRound, writePrompt } from "./prompt.ts";
import { findLiveReview, getReview, listFeedback, listRounds, listStillOpen } from "./queries.ts";
import { checkCommitted, checkIsLive, decideRound, settleItems, writeFeedback } from "./rules.ts";
import { insertFeedback, insertReview, saveFeedback, saveReview } from "./store.ts";

/** What was seen before a review is asked for. */
interface ReviewSighting extends Sighting {
  readonly limits: ReviewLimits;
  /** A refusal where no program could be started; it counts only if nothing else speaks against the review. */
  readonly plan: LaunchPlan | Refusal;
  readonly shape: DiffShape;
  readonly checks: readonly string[];
  readonly mostAtOnce: number;
  readonly budget: Budget | null;
  /** What was asked of the coder, as far as a task says so. */
  readonly background: string | null;
  readonly count: (text: string) => number;
}

const noShape: DiffShape = { from: null, files: [], fileCount: 0 };

/** What higher nouns know of the work. */
interface Briefing {
  /** Counts the tokens of a text, never too low. */
  count(text: string): number;
  /** What was asked, planned and decided about a task, within its own budget. */
  describe(taskId: TaskId): Promise<string>;
}

/** Looks at everything that a review needs, for a tool's `observe`. */
export async function lookAtReview(look: Look, { count, describe }: Briefing): Promise<ReviewSighting> {
  const sighting = await lookWhoCalls(look);
  const taskId = await look.read((db) => findTaskOf(db, sighting.instanceId));
  const { path: folder, baseBranch: base, head } = sighting.workTree;
  const { review, instance, evidence } = look.ports;
  const { limits } = review;
  const ask = { type: "review", wanted: limits.agent, author: await findProgram(look) } as const;
  const checks = await evidence.readChecks(folder, look.signal).catch(() => undefined);
  return {
    ...sighting,
    limits,
    plan: await instance.planLaunch(ask).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    }),
    shape: head === null ? noShape : await review.readShape({ folder, base, head }, look.signal),
    checks: checks?.checks.map(({ name }) => name) ?? [],
    mostAtOnce: instance.mostAtOnce,
    budget: instance.budget,
    background: taskId === null ? null : await describe(taskId),
    count,
  };
}

/** The task that an instance was started for, or has in hand. */
async function findTaskOf(db: Db, id: InstanceId | null): Promise<TaskId | null> {
  const instance = id === null ? undefined : await findInstance(db, id);
  if (!instance) return null;
  return instance.taskId ?? (await findAgent(db, AgentId.parse(instance.id)))?.currentTaskId ?? null;
}

/** Which program the caller is: as we started it, as its token is typed, or as its client calls itself. */
async function findProgram(look: Look): Promise<string | null> {
  const { instanceId, agentType } = look.caller;
  if (instanceId !== null) return (await look.read((db) => getInstance(db, instanceId))).program;
  return agentType ?? look.connection.client?.name ?? null;
}

interface ReviewAsk {
  readonly reviewerPrompt: string | null;
  readonly completionMessage: string | null;
  /** How the reviewer can end it, in the words of those tools. */
  readonly endings: readonly string[];
}

/** Asks for a review of the caller's own work (RV1–RV6). */
export async function requestReview(work: Work, sighting: ReviewSighting, ask: ReviewAsk): Promise<Instance> {
  const coder = await getCalling(work, sighting, ["coding"]);
  const rounds = await listRounds(work.db, coder.id);
  const round = decideRound({
    coder,
    live: await findLiveReview(work.db, coder.id),
    rounds: rounds.at(-1)?.round ?? 0,
    maxIterations: sighting.limits.maxIterations,
  });
  const { branch, head } = checkCommitted(sighting.workTree);
  const { plan, shape, checks, limits: _limits } = sighting;
  if (plan instanceof Refusal) throw plan;
  const prompt = writePrompt({
    ...ask,
    round,
    branch,
    baseBranch: coder.baseBranch ?? sighting.workTree.baseBranch,
    head,
    coderId: coder.id,
    path: plan.path,
    shape,
    checks,
    background: sighting.background,
    count: sighting.count,
    earlier: await listEarlier(work.db, coder.id, rounds),
    collisions: await listCollisionsOf(work.db, { place: work.place, folders: [sighting.workTree.path], agentIds: [] }),
  });
  const reviewer = await createLaunched(work, {
    plan,
    type: "review",
    developerId: coder.developerId,
    repositoryPath: coder.repositoryPath,
    branch: `review/${plan.id}`,
    baseBranch: branch,
    commit: head,
    prompt,
    parent: coder,
    taskId: coder.taskId,
    reviewIteration: round,
    budget: sighting.budget,
  });
  const { id, developerId } = reviewer;
  const review: Review = {
    id,
    coderId: coder.id,
    developerId,
    round,
    outcome: "live",
    head,
    maxIterations: sighting.limits.maxIterations,
    requestedAt: work.now,
    endedAt: null,
    version: 1,
  };
  await insertReview(work.db, review);
  work.record(reviewEvent.requested(id, { coder_id: coder.id, round }, [`instance:${coder.id}`]));
  await moveInstance(work, coder, "waiting_review", { reviewIteration: round, branch });
  if (await hasRoom(work, sighting.mostAtOnce)) {
    const payload = await takeOff(work, reviewer);
    work.after(launchReviewer.ask({ key: `${id}/1`, subject: id, payload }));
  }
  return reviewer;
}

/** The rounds before, each with what it found and what became of that. */
async function listEarlier(db: Db, coderId: InstanceId, rounds: readonly Review[]): Promise<EarlierRound[]> {
  const given = await listFeedback(db, coderId);
  return rounds.map(({ round, outcome, head }) => {
    const feedback = given.find((one) => one.round === round);
    return {
      round,
      outcome,
      head,
      type: feedback?.type ?? null,
      text: feedback?.text ?? null,
      items: feedback ? nameItems(feedback) : [],
    };
  });
}

interface FeedbackAsk {
  readonly text: string;
  readonly type: Feedback["type"];
  readonly priority: string | null;
  readonly items: readonly FeedbackItem[];
  /** What earlier rounds asked for and this one finds done, by name. */
  readonly done: readonly string[];
}

/** A reviewer's word for the coder, which ends the round (RV9). It travels by git after the commit. */
export async function giveFeedback(work: Work, sighting: Sighting, ask: FeedbackAsk): Promise<Feedback> {
  const reviewer = await getCalling(work, sighting, ["review"]);
  const review = await getReview(work.db, reviewer.id);
  checkIsLive(review);
  const coder = await getInstance(work.db, review.coderId);
  const { id: reviewId, coderId, developerId, round, head } = review;
  const { done, items, ...said } = ask;
  const given = await listFeedback(work.db, coderId);
  for (const settled of settleItems(given, done, round)) {
    await saveFeedback(work.db, settled.feedback, { items: settled.items });
  }
  const feedback: Feedback = {
    ...said,
    items: [...items],
    id: work.newId("feedback"),
    reviewId,
    coderId,
    developerId,
    round,
    commit: null,
    delivery: null,
    createdAt: work.now,
    version: 1,
  };
  await insertFeedback(work.db, feedback);
  await saveReview(work.db, review, { outcome: "delivering" });
  const data = { coder_id: coderId, round, feedback_id: feedback.id, feedback_type: ask.type };
  work.record(reviewEvent.feedbackGiven(reviewId, data, [`instance:${coderId}`]));
  work.after(
    deliverFeedback.ask({
      key: feedback.id,
      subject: feedback.id,
      place: coder.place,
      payload: {
        feedbackId: feedback.id,
        reviewId,
        repositoryPath: coder.repositoryPath,
        coder: { path: coder.worktreePath, branch: coder.branch ?? "" },
        reviewer: { branch: reviewer.branch ?? "" },
        head,
        content: writeFeedback(feedback, await listStillOpen(work.db, feedback)),
        message: `Review feedback, round ${round}`,
        at: work.now,
      },
    }),
  );
  return feedback;
}
