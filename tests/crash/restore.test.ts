import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { verifyHouse } from "../../src/engine/verify.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { keptKeys, putDurably } from "../storage/rows.ts";
import { startProgram } from "./program.ts";

/** Ends a program as it makes one of these calls for the `at`th time. */
const killAt = (call: string, at: number): string[] => [
  "strace",
  ...["-o", "/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${at}`],
];

/** Restores an older state under a killer. Answers what is found afterwards, or that the killer never struck. */
async function restoreUnder(killer: readonly string[]): Promise<string> {
  const house = await openTestHouse("sqlite");
  const { location } = house;
  const backup = join(dirname(location), "backup.db");
  await putDurably(house, "early");
  await house.house.store.backup(backup);
  await putDurably(house, "late");
  await house.house.close();

  const { code } = await startProgram("restore", { backup, location }, killer).ended;
  const again = await openTestHouse("sqlite", { location });
  const keys = await keptKeys(again);
  expect(await verifyHouse(again.house)).toMatchObject({ isIntact: true });
  const isKept = readdirSync(dirname(location)).join().includes("before-restore");
  if (!keys.includes("late")) expect(isKept).toBe(true);
  return code === 0 ? "finished" : keys.join();
}

test("[DU14] a restore that is killed at any step leaves the old store or the new one, whole", async () => {
  const outcomes = new Set<string>();
  for (const call of ["rename", "link", "unlink", "fsync"]) {
    for (let at = 1; at < 20; at += 1) {
      const outcome = await restoreUnder(killAt(call, at));
      outcomes.add(outcome);
      if (outcome === "finished") break;
    }
  }
  expect(outcomes).toEqual(new Set(["early,late", "early", "finished"]));
});
