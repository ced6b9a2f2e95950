import fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { openStillHouse } from "../domain/still-house.ts";
import { act } from "./session-scene.ts";

const hour = 3_600_000;

/** What a context is to the rules: whose, where, until when. */
interface Known {
  readonly id: string;
  readonly owner: string;
  readonly place: string;
  readonly until: number;
}

type Step =
  | { readonly do: "publish"; readonly who: number; readonly branch: number; readonly ttl: number }
  | { readonly do: "revoke"; readonly who: number; readonly which: number }
  | { readonly do: "wait"; readonly hours: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("publish" as const),
    who: fc.nat(1),
    branch: fc.nat(2),
    ttl: fc.constantFrom(1, 2, 24, 168),
  }),
  fc.record({ do: fc.constant("revoke" as const), who: fc.nat(1), which: fc.nat(20) }),
  fc.record({ do: fc.constant("wait" as const), hours: fc.constantFrom(0.5, 1, 1.5, 24) }),
);

const branches = ["main", "next", undefined];

/** The whole of the rules in a list: one active for each developer and place, until its hour. */
class Model {
  active: Known[] = [];
  everything: Known[] = [];
  now = 0;

  publish(context: Known): void {
    const replaced = (one: Known) => one.owner === context.owner && one.place === context.place;
    this.active = [...this.active.filter((one) => !replaced(one)), context];
    this.everything.push(context);
  }

  revoke(id: string): void {
    this.active = this.active.filter((one) => one.id !== id);
  }

  wait(ms: number): void {
    this.now += ms;
    this.active = this.active.filter((one) => one.until > this.now);
  }
}

async function take(house: TestHouse, people: readonly Caller[], model: Model, next: Step): Promise<void> {
  if (next.do === "wait") {
    house.clock.advance(next.hours * hour);
    model.wait(next.hours * hour);
    return;
  }
  const caller = people[next.who] ?? house.owner;
  if (next.do === "publish") {
    const branch = branches[next.branch];
    const ask = { title: "A", summary: "B", repo: "acme/shop", branch, ttl_hours: next.ttl };
    const { data } = await act<{ context_id: string }>(house, "publish_context", ask, caller);
    const until = model.now + next.ttl * hour;
    model.publish({ id: data.context_id, owner: caller.developerId, place: String(branch), until });
    return;
  }
  const chosen = model.everything[next.which % Math.max(1, model.everything.length)];
  if (!chosen) return;
  const isOwn = chosen.owner === caller.developerId;
  const isActive = model.active.some(({ id }) => id === chosen.id);
  const reply = await house.reply("covibe_session", { operation: "revoke_context", context_id: chosen.id }, caller);
  if (!isOwn) expect(reply).toMatchObject({ ok: false, failure: { code: "FORBIDDEN" } });
  else expect(reply).toMatchObject({ ok: true, value: { status: isActive ? "ok" : "warning" } });
  if (isOwn) model.revoke(chosen.id);
}

test.each([
  "sqlite",
  "postgres",
] as const)("[SX2, SX4, SX6] whatever is published, withdrawn and waited for, what is active is what a simple list says, on %s", async (kind) => {
  const house = await openStillHouse(kind);
  const { caller: bob } = await house.developer("bob");
  const people = [house.owner, bob];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      house.clock.advance(200 * hour);
      const model = new Model();
      for (const next of steps) {
        await take(house, people, model, next);
        const { data } = await act<{ contexts: { context_id: string }[] }>(house, "get_context");
        const expected = model.active.map(({ id }) => id).sort();
        expect(data.contexts.map(({ context_id }) => context_id).sort()).toEqual(expected);
      }
    }),
    { numRuns: kind === "sqlite" ? 40 : 10 },
  );
});
