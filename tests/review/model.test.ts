import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InstanceId } from "../../src/contract/ids.ts";
import { listInstances } from "../../src/domain/instance/queries.ts";
import { isOver } from "../../src/domain/instance/rules.ts";
import { endReviewWithPull } from "../../src/domain/review/end-operations.ts";
import { findLiveReview, listFeedback, listRounds } from "../../src/domain/review/queries.ts";
import { transactAsSystem } from "../../src/engine/system-work.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { callerOf, callIn, makeWork, openLaunchedHouse, readInstance } from "./launched-house.ts";

const steps = ["ask", "feedback", "kill", "stop", "grant", "commit", "dirty", "pull", "sweep", "abandon"] as const;
const Step = fc.record({ what: fc.constantFrom(...steps), who: fc.nat({ max: 1 }) });

/** One history: coders, reviewers, people and kills in any order. After each step the promises hold. */
async function play(kind: "sqlite" | "postgres", history: readonly { what: (typeof steps)[number]; who: number }[]) {
  const limits = { maxIterations: 2, autoAbandonAfter: 2 };
  const { house, dataDir, sweep } = await openLaunchedHouse(kind, { limits, mostAtOnce: 1 });
  const works = [makeWork(), makeWork()];
  const coders: (string | undefined)[] = [undefined, undefined];
  const acknowledged: { text: string; coder: string; folder: string }[] = [];
  let count = 0;
  for (const { what, who } of history) {
    const work = works[who];
    const coder = coders[who];
    if (!work) continue;
    const live =
      coder === undefined
        ? undefined
        : await house.house.store.read((db) => findLiveReview(db, InstanceId.parse(coder)));
    count += 1;
    if (what === "ask") {
      const reply = await callIn(house, "request_review", {}, work.path);
      if (reply.ok) {
        const { review_instance_id: id } = reply.value as { review_instance_id: string };
        coders[who] = (await readInstance(house, id)).parentId ?? undefined;
      }
    } else if (what === "feedback" && live) {
      const text = `finding ${count}`;
      const as = await callerOf(house, live.id);
      const args = { feedback: text, feedback_type: "needs_work" };
      const reply = await callIn(house, "send_feedback", args, work.path, as);
      if (reply.ok) acknowledged.push({ text, coder: live.coderId, folder: work.path });
    } else if (what === "kill" && live) kill(dataDir, live.id);
    else if (what === "stop" && live) await house.reply("instance_stop", { id: live.id });
    else if (what === "abandon" && coder) await house.reply("instance_abandon", { id: coder });
    else if (what === "grant" && coder) await house.reply("review_grant", { id: coder });
    else if (what === "commit") work.commit(`more ${count}`, { "a.txt": `${count}\n` });
    else if (what === "dirty") work.write("REVIEW_FEEDBACK.md", "mine\n");
    else if (what === "pull" && coder) await openPull(house, coder);
    else if (what === "sweep") await sweep();
    await house.house.errands.settle();
    await check(house);
  }
  await until(async () => {
    await sweep();
    await house.house.errands.settle();
    return !(await isBusy(house, dataDir));
  });
  for (const { text, coder, folder } of acknowledged) {
    const { messages } = await house.call<{ messages: { body: string }[] }>("message_list", {
      agent_id: coder,
      limit: 100,
    });
    expect(messages.some(({ body }) => body.includes(text))).toBe(true);
    const commits = (await house.house.store.read((db) => listFeedback(db, InstanceId.parse(coder)))).map(
      ({ commit }) => commit,
    );
    for (const commit of commits)
      expect(works.find(({ path }) => path === folder)?.git("cat-file", "-t", commit ?? "")).toBe("commit");
  }
}

async function openPull(house: TestHouse, coder: string): Promise<void> {
  const { store, sources, errands } = house.house;
  const pull = { number: 1, url: "http://deck/pulls/1" };
  const caller = await readInstance(house, coder);
  if (isOver(caller) || caller.status === "pr_created") return;
  await transactAsSystem(store, sources, (work) => endReviewWithPull(work, caller, pull));
  errands.poke();
}

/** One live review for a coder at most, who waits just then; rounds count once. */
async function check({ house }: TestHouse): Promise<void> {
  const coders = await house.store.read((db) => listInstances(db, { type: "coding", limit: 100 }));
  for (const coder of coders) {
    const rounds = await house.store.read((db) => listRounds(db, coder.id));
    const live = rounds.filter(({ endedAt }) => endedAt === null);
    expect(live.length).toBeLessThanOrEqual(1);
    expect(coder.status === "waiting_review").toBe(live.length === 1);
    expect(rounds.map(({ round }) => round)).toEqual(rounds.map((_, at) => at + 1));
    expect(coder.reviewIteration).toBe(rounds.length);
  }
}

/** Whether anything is left of reviewers that are over: a process or a folder. */
async function isBusy({ house }: TestHouse, dataDir: string): Promise<boolean> {
  const all = await house.store.read((db) => listInstances(db, { type: "review", limit: 100 }));
  return all.filter(isOver).some(({ id, worktreePath }) => existsSync(worktreePath) || isAlive(dataDir, id));
}

const pidOf = (dataDir: string, id: string): number | undefined => {
  try {
    return (JSON.parse(readFileSync(join(dataDir, "agents", id, "process.json"), "utf8")) as { pid: number }).pid;
  } catch {
    return undefined;
  }
};

function isAlive(dataDir: string, id: string): boolean {
  const pid = pidOf(dataDir, id);
  if (pid === undefined) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function kill(dataDir: string, id: string): void {
  const pid = readdirSync(join(dataDir, "agents")).includes(id) ? pidOf(dataDir, id) : undefined;
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** How many histories are played; many more by `CREWDECK_REVIEW_HISTORIES`. */
const asked = Number(process.env["CREWDECK_REVIEW_HISTORIES"] ?? 0);

describe.each([
  ["sqlite", asked > 0 ? asked : 6],
  ["postgres", asked > 0 ? Math.ceil(asked / 4) : 3],
] as const)("any order of coders, reviewers, people and kills, on %s", (kind, histories) => {
  test("[RV2, RV3, RV7, RV9, RV12] the promises hold, and nothing is left behind", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 8, maxLength: 14 }), (history) => play(kind, history)),
      { numRuns: histories, endOnFailure: true },
    );
  });
});
