import fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore } from "../domain/still-house.ts";
import { coordinate, gather, session, summaryOf, take } from "./coordination-scene.ts";

const minute = 60_000;

/** Which of these meet is written down by hand: the model must not ask the rules it checks. */
const meetings: Readonly<Record<string, readonly string[]>> = {
  "src/**": ["src/**", "src/a.ts", "src/*.ts", "**/b"],
  "src/a.ts": ["src/**", "src/a.ts", "src/*.ts"],
  "src/*.ts": ["src/**", "src/a.ts", "src/*.ts"],
  "**/b": ["src/**", "**/b", "docs"],
  docs: ["**/b", "docs"],
};
const paths = Object.keys(meetings);

interface Holder {
  readonly caller: Caller;
  readonly sessionId: string | undefined;
  seenAt: number;
}

interface Claim {
  readonly id: string;
  readonly holder: Holder;
  readonly path: string;
  readonly exclusive: boolean;
  readonly ttl: number;
  readonly fence: number;
  expiresAt: number;
  isOver: boolean;
}

/** What is held, told in the simplest way. */
class Model {
  readonly claims: Claim[] = [];
  fence = 0;

  live(now: number): Claim[] {
    return this.claims.filter((claim) => !claim.isOver && claim.expiresAt > now);
  }

  inTheWay(holder: Holder, path: string, now: number): Claim[] {
    return this.live(now).filter((claim) => claim.holder !== holder && meetings[path]?.includes(claim.path));
  }

  /** What the sweep does after the clock has jumped. */
  sweep(now: number): void {
    for (const claim of this.claims) {
      const { sessionId, seenAt } = claim.holder;
      const isSilent = sessionId !== undefined && now - seenAt > 30 * minute;
      if (claim.expiresAt <= now || isSilent) claim.isOver = true;
    }
  }
}

type Step =
  | { do: "claim"; holder: number; path: string; exclusive: boolean; ttl: number }
  | { do: "renew" | "release"; claim: number; as: number }
  | { do: "releaseAll"; holder: number }
  | { do: "wait"; minutes: number };

const holder = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("claim" as const),
      holder,
      path: fc.constantFrom(...paths),
      exclusive: fc.boolean(),
      ttl: fc.constantFrom(5, 45, 120),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("renew" as const, "release" as const), claim: fc.nat(20), as: holder }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("releaseAll" as const), holder }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(1, 5, 16, 31, 200) }),
  },
);

forEachStillStore("claims against a model", (open) => {
  test("[CC20] any sequence of calls and jumps of the clock leaves who the model says", async () => {
    const { house, ada, bob } = await gather(open);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: "max" }), async (steps) => {
        runs += 1;
        const now = house.clock.now();
        const holders: Holder[] = [
          { caller: ada, sessionId: await session(house, ada), seenAt: now },
          { caller: ada, sessionId: await session(house, ada), seenAt: now },
          { caller: bob, sessionId: await session(house, bob), seenAt: now },
          { caller: bob, sessionId: undefined, seenAt: now },
        ];
        const run = new Run(house, holders, `repo${runs}`);
        await run.begin();
        for (const one of steps) await run.take(one);
        await run.finish();
      }),
      { numRuns: 60 },
    );
  });
});

class Run {
  readonly model = new Model();

  readonly house: TestHouse;
  readonly holders: readonly Holder[];
  readonly repo: string;

  constructor(house: TestHouse, holders: readonly Holder[], repo: string) {
    this.house = house;
    this.holders = holders;
    this.repo = repo;
  }

  async take(step: Step): Promise<void> {
    if (step.do === "wait") {
      this.house.clock.advance(step.minutes * minute);
      await this.house.sweep();
      this.model.sweep(this.house.clock.now());
    } else if (step.do === "claim") await this.claim(step);
    else if (step.do === "releaseAll") await this.releaseAll(this.holderAt(step.holder));
    else await this.renewOrRelease(step);
  }

  private holderAt(at: number): Holder {
    const found = this.holders[at % this.holders.length];
    if (!found) throw new Error("there is a holder");
    return found;
  }

  private see(holder: Holder): void {
    holder.seenAt = this.house.clock.now();
  }

  private async claim(step: Extract<Step, { do: "claim" }>): Promise<void> {
    const now = this.house.clock.now();
    const by = this.holderAt(step.holder);
    this.see(by);
    const met = this.model.inTheWay(by, step.path, now);
    const { status, data } = await take(
      this.house,
      [step.path],
      { repo: this.repo, exclusive: step.exclusive, ttl_minutes: step.ttl, session_id: by.sessionId },
      by.caller,
    );
    const expected = step.exclusive && met.length > 0 ? "blocked" : met.some((one) => one.exclusive) ? "warning" : "ok";
    expect(status).toBe(expected);
    expect(data.conflicts.map((one) => one["claim_id"]).sort()).toEqual(met.map(({ id }) => id).sort());
    if (status === "blocked") return;
    this.model.fence += 1;
    expect(data.fence).toBe(this.model.fence);
    const { path, exclusive, ttl } = step;
    const expiresAt = now + ttl * minute;
    this.model.claims.push({
      id: data.claim_id,
      holder: by,
      path,
      exclusive,
      ttl,
      fence: data.fence,
      expiresAt,
      isOver: false,
    });
  }

  private async renewOrRelease(step: Extract<Step, { do: "renew" | "release" }>): Promise<void> {
    const claim = this.model.claims[step.claim % Math.max(1, this.model.claims.length)];
    if (!claim) return;
    const by = this.holderAt(step.as);
    const now = this.house.clock.now();
    const isOwn = by.caller === claim.holder.caller;
    const isLive = !claim.isOver && claim.expiresAt > now;
    const args = { operation: step.do, claim_id: claim.id, session_id: by.sessionId };
    const reply = await this.house.reply("covibe_coordination", args, by.caller);
    // A refusal changes nothing, not even when somebody was last heard of.
    if (reply.ok) this.see(by);
    if (!isOwn) expect(reply).toMatchObject({ ok: false, failure: { code: "NOT_FOUND" } });
    else if (step.do === "release") {
      expect(reply).toMatchObject({ ok: true, value: { data: { released: isLive ? [claim.id] : [] } } });
      claim.isOver = true;
    } else if (!isLive) expect(reply).toMatchObject({ ok: false, failure: { code: "INVALID_STATE" } });
    else {
      expect(reply).toMatchObject({ ok: true, value: { data: { fence: claim.fence } } });
      claim.expiresAt = now + claim.ttl * minute;
    }
  }

  private async releaseAll(by: Holder): Promise<void> {
    this.see(by);
    const mine = this.model
      .live(this.house.clock.now())
      .filter(({ holder }) => (by.sessionId === undefined ? holder.caller === by.caller : holder === by));
    const { data } = await coordinate<{ released: string[] }>(
      this.house,
      "release",
      { all: true, session_id: by.sessionId },
      by.caller,
    );
    expect([...data.released].sort()).toEqual(mine.map(({ id }) => id).sort());
    for (const claim of mine) claim.isOver = true;
  }

  /** Nothing is left of an earlier run. */
  async begin(): Promise<void> {
    for (const caller of new Set(this.holders.map((one) => one.caller))) {
      await coordinate(this.house, "release", { all: true }, caller);
    }
  }

  /** What is live is what the model says. */
  async finish(): Promise<void> {
    const { claims } = await summaryOf(this.house);
    const expected = this.model.live(this.house.clock.now()).map(({ id, fence }) => `${id} ${fence}`);
    expect(claims.map((one) => `${one["claim_id"]} ${one["fence"]}`).sort()).toEqual(expected.sort());
  }
}
