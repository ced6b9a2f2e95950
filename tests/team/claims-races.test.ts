import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import { readClaimed } from "../../src/domain/claim/rules.ts";
import { doGlobsMeet } from "../../src/domain/glob.ts";
import { forEachStore, type TestHouse } from "../../src/testing/house.ts";
import { coordinate, type Granted, session, summaryOf, take, turnDown } from "./coordination-scene.ts";

interface Wish {
  readonly path: string;
  readonly caller: Caller;
  readonly session_id: string;
  readonly exclusive: boolean;
}

/** So many sessions of three developers. */
async function crowd(house: TestHouse, count: number): Promise<{ caller: Caller; session_id: string }[]> {
  const callers = [house.owner, (await house.developer("bob")).caller, (await house.developer("cy")).caller];
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const caller = callers[at % callers.length] ?? house.owner;
      return { caller, session_id: await session(house, caller) };
    }),
  );
}

const want = (house: TestHouse, { path, caller, session_id, exclusive }: Wish) =>
  take(house, [path], { session_id, exclusive }, caller);

const doMeet = (one: Wish, other: Wish): boolean => doGlobsMeet(readClaimed(one.path), readClaimed(other.path));

/** Every winner who wanted to be alone was; every loser met somebody who won. */
function expectFair(wishes: readonly Wish[], answers: readonly { status: string; data: Granted }[]): void {
  const outcomes = wishes.map((wish, at) => ({
    wish,
    won: answers[at]?.status !== "blocked",
    fence: answers[at]?.data.fence ?? 0,
  }));
  for (const { wish, won, fence } of outcomes) {
    const rivals = outcomes.filter((other) => other.wish !== wish && other.won && doMeet(wish, other.wish));
    if (!won) expect([wish.exclusive, rivals.length > 0], wish.path).toEqual([true, true]);
    else if (wish.exclusive) {
      expect(rivals.filter((rival) => rival.wish.exclusive || rival.fence < fence)).toEqual([]);
    }
  }
  const fences = answers.filter(({ status }) => status !== "blocked").map(({ data }) => data.fence);
  expect([...fences].sort((a, b) => a - b)).toEqual(fences.map((_, at) => at + 1));
}

forEachStore("claims at the same moment", (open) => {
  for (const count of [8, 64]) {
    test(`[CC19, CC12] of ${count} who want the same code alone, one gets it`, async () => {
      const house = await open();
      const sessions = await crowd(house, count);
      const wishes = sessions.map((one) => ({ ...one, path: "src/login/**", exclusive: true }));
      const answers = await Promise.all(wishes.map((wish) => want(house, wish)));
      expect(answers.filter(({ status }) => status === "ok")).toHaveLength(1);
      expectFair(wishes, answers);
      expect((await summaryOf(house)).claims).toHaveLength(1);
    });

    test(`[CC19, CC12] of ${count} whose patterns meet in part, exactly those that are compatible win`, async () => {
      const house = await open();
      const sessions = await crowd(house, count);
      const patterns = ["src/*/a.ts", "src/x/*", "src/y/**", "**/b.ts", "docs", "docs/*.md", "src/z/c.ts", "*/x/d.ts"];
      const wishes = sessions.map((one, at) => ({
        ...one,
        path: patterns[at % patterns.length] ?? "docs",
        exclusive: at % 5 !== 4,
      }));
      expectFair(wishes, await Promise.all(wishes.map((wish) => want(house, wish))));
    });

    test(`[CC19] ${count} who want code of their own all get it, with fences of their own`, async () => {
      const house = await open();
      const sessions = await crowd(house, count);
      const wishes = sessions.map((one, at) => ({ ...one, path: `src/part${at}/**`, exclusive: true }));
      const answers = await Promise.all(wishes.map((wish) => want(house, wish)));
      expect(answers.map(({ status }) => status)).toEqual(wishes.map(() => "ok"));
      expectFair(wishes, answers);
    });
  }

  test("[CC19, CC13] at the end of a lease either it is renewed or somebody else has the code, never both", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    for (let round = 0; round < 8; round += 1) {
      const path = `round${round}`;
      const { claim_id } = (await take(house, [path], { ttl_minutes: 5 })).data;
      house.clock.advance(5 * 60_000 - 15 + round * 2);
      const [renewed, taken] = await Promise.all([
        house.reply("covibe_coordination", { operation: "renew", claim_id }),
        take(house, [path], {}, bob),
      ]);
      if (renewed.ok) expect(taken.status).toBe("blocked");
      else expect(["ok", "blocked"]).toContain(taken.status);
      if (taken.status === "ok") expect(await turnDown(house, "renew", { claim_id })).toBe("INVALID_STATE");
      await coordinate(house, "release", { all: true }, bob);
      await coordinate(house, "release", { all: true });
    }
  });
});
