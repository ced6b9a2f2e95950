import { expect, test } from "vitest";
import { EscalationCap } from "../../../src/domain/overlap/engine/escalation-cap.ts";
import { defaultSettings } from "../../../src/domain/overlap/engine/settings.ts";
import { titleKey } from "../../../src/domain/overlap/model.ts";
import { listScopeCheckScores } from "../../../src/domain/overlap/scope-check-queries.ts";
import { findLatestScopeCheck } from "../../../src/domain/overlap/scope-check-store.ts";
import { forEachStore, openTestHouse, type TestHouse } from "../../../src/testing/house.ts";
import { type Candidate, newWorker, type Worker, workerOf } from "../../team/work-scene.ts";

const title = "Retry failed webhook deliveries with exponential backoff";
const reworded = "Failed webhook deliveries should be sent again with backoff";
const unlike = Array.from({ length: 180 }, (_, at) => `Translate chapter${at} glossary${at} appendix${at}`);
const alike = Array.from({ length: 30 }, (_, at) => `${title}, tenant${at}`);

const asks = async (worker: Worker, wanted: string): Promise<string[]> =>
  ((await worker.check(wanted)).data["candidates"] as Candidate[]).map((one) => one.title);

const thresholdOf = async ({ house }: TestHouse, { caller }: Worker, wanted: string): Promise<number | null> => {
  const key = { developerId: caller.developerId, kind: "task", title: titleKey(wanted), plannedId: null } as const;
  const check = await house.store.read((db) => findLatestScopeCheck(db, key));
  return check?.escalatesFrom ?? null;
};

/** What the checks in the store come to, whoever has heard of them already. */
async function expectedOf({ house }: TestHouse): Promise<number> {
  const cap = new EscalationCap();
  const found = await house.store.read((db) => listScopeCheckScores(db, { limit: 500 }));
  for (const { kind, title, scores } of found) cap.note(`${kind} ${title}`, scores);
  return cap.raise({ ...defaultSettings, escalationCap: 0.1 });
}

const capped = {
  settings: { toolTimeoutsMs: {}, timeoutMs: undefined, checksReplies: true, overlap: { escalationCap: 0.1 } },
};

forEachStore("the cap on questions", (_open, kind) => {
  test("[OV22, OV23] where much is alike the threshold rises, for identical work never, and a restart changes nothing", async () => {
    const before = await openTestHouse(kind, capped);
    await workerOf(before).begin(title);
    const bob = await newWorker(before, "bob");
    expect(await asks(bob, reworded)).toEqual([title]);
    expect(await thresholdOf(before, bob, reworded)).toBe(defaultSettings.escalateThreshold);

    for (const wanted of [...unlike, ...alike]) await bob.check(wanted);
    expect(await asks(bob, reworded)).toEqual([]);
    expect(await asks(bob, title.toUpperCase())).toEqual([title]);
    const raised = await expectedOf(before);
    expect(raised).toBeGreaterThan(defaultSettings.escalateThreshold);
    // The ledger tells of a check a moment after it was made.
    const inForce = async () => {
      await bob.check(reworded);
      return thresholdOf(before, bob, reworded);
    };
    await expect.poll(inForce).toBe(raised);
    await before.house.close();

    const after = await openTestHouse(kind, { location: before.location, ...capped });
    const again = workerOf(after, bob.caller);
    expect(await asks(again, reworded)).toEqual([]);
    expect(await asks(again, title.toUpperCase())).toEqual([title]);
    expect(await thresholdOf(after, again, reworded)).toBe(raised);
    await after.house.close();

    const uncapped = await openTestHouse(kind, { location: before.location });
    expect(await asks(workerOf(uncapped, bob.caller), reworded)).toEqual([title]);
  });
});
