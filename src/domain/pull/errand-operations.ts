import { type AnyErrandKind, defineErrand } from "../errand.ts";
import type { SystemWork } from "../work.ts";
import { pullEvent } from "./events.ts";
import { noteEnded, noteOpened } from "./instance-operations.ts";
import { fileOne } from "./issue-errand-operations.ts";
import { isAlive, type Pull } from "./model.ts";
import type { MergedPull, MergePull, OpenedPull, OpenPull } from "./port.ts";
import { findLastNumber, getPull } from "./queries.ts";
import { problemOf } from "./rules.ts";
import { guardPulls, markDone, savePull } from "./store.ts";

/** Brings a branch to where it is read and decided about: to the code host, or to a state fit for people to read. */
export const openErrand = defineErrand<OpenPull & { readonly page: string }, OpenedPull>({
  name: "pull.open",
  timeoutMs: 10 * 60_000,
  mostAttempts: 3,
  async done(work, { pullId, page }, { head, at }) {
    const pull = await getPull(work.db, pullId);
    if (!isAlive(pull)) return;
    if (pull.status !== "opening") return followHead(work, pull, head);
    const { number, url } = at ?? (await numberLocally(work, page));
    const opened = await savePull(work.db, pull, {
      status: "open",
      number,
      url,
      head,
      problem: null,
      updatedAt: work.now,
    });
    work.record(pullEvent.opened(pull.id, { ...factsOf(opened), url, head }, channelsOf(pull)));
    await noteOpened(work, opened);
  },
  async failed(work, { pullId }, failure) {
    const pull = await getPull(work.db, pullId);
    const problem = problemOf(failure);
    // One that is open already stays open: only what was new did not get there.
    if (pull.status !== "opening") return void (await savePull(work.db, pull, { problem, updatedAt: work.now }));
    await savePull(work.db, pull, { status: "failed", problem, updatedAt: work.now, endedAt: work.now });
    work.record(pullEvent.failed(pull.id, { branch: pull.branch, code: failure.code }, channelsOf(pull)));
  },
});

/** Merges a pull request of our own. */
export const mergeErrand = defineErrand<MergePull, MergedPull>({
  name: "pull.merge",
  timeoutMs: 10 * 60_000,
  mostAttempts: 3,
  async done(work, { pullId, method }, { commit, before, left }) {
    const pull = await getPull(work.db, pullId);
    const problem = left.length === 0 ? null : `These folders could not be brought up to date: ${left.join(", ")}.`;
    await endPull(work, pull, {
      status: "merged",
      mergeMethod: method,
      mergeCommit: commit,
      baseBefore: before,
      problem,
    });
  },
  async failed(work, { pullId }, failure) {
    const pull = await getPull(work.db, pullId);
    await savePull(work.db, pull, { status: "open", problem: problemOf(failure), updatedAt: work.now });
    work.record(pullEvent.mergeFailed(pull.id, { ...factsOf(pull), code: failure.code }, channelsOf(pull)));
  },
});

/** Everything that is done for pull requests outside. */
export const pullErrands: readonly AnyErrandKind[] = [openErrand, mergeErrand, fileOne];

/** A pull request is over, whoever decided it and wherever. */
export async function endPull(
  work: SystemWork,
  pull: Pull,
  change: Pick<Pull, "mergeMethod" | "mergeCommit"> &
    Partial<Pick<Pull, "baseBefore" | "problem" | "etag">> & { status: "merged" | "closed" },
): Promise<void> {
  await savePull(work.db, pull, { ...change, isSentBack: false, updatedAt: work.now, endedAt: work.now });
  // Whoever merges it finds done what was asked for.
  if (change.status === "merged") await markDone(work.db, { pullId: pull.id }, work.now);
  const { mergeCommit: commit, mergeMethod: method } = change;
  work.record(
    change.status === "merged"
      ? pullEvent.merged(pull.id, { ...factsOf(pull), commit, method }, channelsOf(pull))
      : pullEvent.closed(pull.id, factsOf(pull), channelsOf(pull)),
  );
  await noteEnded(work, pull, change.status);
}

/** What was sent back is to be decided again once its branch has moved. */
export async function followHead(work: SystemWork, pull: Pull, head: string): Promise<void> {
  if (head === pull.head) return void (await savePull(work.db, pull, { problem: null, updatedAt: work.now }));
  await savePull(work.db, pull, { head, isSentBack: false, problem: null, updatedAt: work.now });
  work.record(pullEvent.moved(pull.id, { ...factsOf(pull), head }, channelsOf(pull)));
}

/** Numbers of our own go up by one, over all repositories. */
async function numberLocally(work: SystemWork, page: string): Promise<{ number: number; url: string }> {
  await guardPulls(work.db);
  const number = (await findLastNumber(work.db)) + 1;
  return { number, url: page.replace("{number}", String(number)) };
}

export const factsOf = ({ number, branch, base, agentId }: Pull) => ({
  number: number ?? 0,
  branch,
  base,
  agent_id: agentId,
});

export const channelsOf = ({ agentId }: Pull): string[] => (agentId === null ? [] : [`agent:${agentId}`]);
