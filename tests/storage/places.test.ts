import fc from "fast-check";
import { expect, test } from "vitest";
import { Places } from "../../src/storage/places.ts";
import { openTestHouse } from "../../src/testing/house.ts";

interface Visit {
  readonly controller: AbortController;
  state: "waiting" | "inside" | "gone";
  leave: () => void;
}

test("[ST29] places are never overbooked, go to whoever came first, and are lost on nobody who gave up", async () => {
  const step = fc.record({
    act: fc.constantFrom("come", "leave", "giveUp"),
    pick: fc.nat({ max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), async (count, steps) => {
      const places = new Places(count);
      const visits: Visit[] = [];
      const within = (state: Visit["state"]) => visits.filter((visit) => visit.state === state);
      for (const { act, pick } of steps) {
        if (act === "come") visits.push(come(places));
        const some = within(act === "leave" ? "inside" : "waiting");
        const one = some[pick % some.length];
        if (act === "leave" && one) {
          one.state = "gone";
          one.leave();
        }
        if (act === "giveUp" && one) one.controller.abort(new Error("given up"));
        await settled();
        const present = visits.filter(({ state }) => state !== "gone");
        expect(present.map(({ state }) => state)).toEqual(present.map((_, at) => (at < count ? "inside" : "waiting")));
      }
    }),
  );
});

test("[ST29] whoever has given up before asking gets no place", async () => {
  const places = new Places(1);
  await expect(places.take(AbortSignal.abort(new Error("given up")))).rejects.toThrow("given up");
  expect(await places.take()).toBeTypeOf("function");
});

test("[ST5, ST29] an operation on PostgreSQL that is given up while others hold every connection is never begun and waits no longer", async () => {
  const { store } = (await openTestHouse("postgres")).house;
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const holders = Array.from({ length: 20 }, () => store.read(() => held));
  const controller = new AbortController();
  const late = store.read(() => Promise.resolve("begun"), { signal: controller.signal });
  controller.abort(new Error("given up"));
  await expect(late).rejects.toThrow("given up");
  letGo();
  await Promise.all(holders);
  expect(await store.read(() => Promise.resolve("next"))).toBe("next");
});

function come(places: Places): Visit {
  const visit: Visit = { controller: new AbortController(), state: "waiting", leave: () => undefined };
  places.take(visit.controller.signal).then(
    (leave) => Object.assign(visit, { state: "inside", leave }),
    () => Object.assign(visit, { state: "gone" }),
  );
  return visit;
}

/** Everything that follows from the last step has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
