import { expect, test } from "vitest";
import { type Keeper, Keepers } from "../../src/engine/keepers/keepers.ts";
import { openTestHouse } from "../../src/testing/house.ts";

const named = (name: string, said: string[], more: Partial<Keeper> = {}): Keeper => ({
  async start() {
    said.push(`${name} starts`);
  },
  async close() {
    said.push(`${name} ends`);
  },
  ...more,
});

test("[EF20] what outlives calls starts in order and ends in the reverse one, once", async () => {
  const said: string[] = [];
  const keepers = new Keepers();
  await keepers.add(named("store", said));
  await keepers.add(named("processes", said));
  await Promise.all([keepers.close(), keepers.close()]);
  expect(said).toEqual(["store starts", "processes starts", "processes ends", "store ends"]);
});

test("[EF20] one that cannot end keeps no other from ending, and is told of", async () => {
  const said: string[] = [];
  const keepers = new Keepers();
  await keepers.add(named("store", said));
  await keepers.add(named("processes", said, { close: () => Promise.reject(new Error("still busy")) }));
  await expect(keepers.close()).rejects.toThrow("still busy");
  expect(said).toContain("store ends");
});

test("[EF20] a house starts its keepers last, with the store open, and ends them before it closes", async () => {
  const said: string[] = [];
  const house = await openTestHouse("sqlite", {
    keepers: [
      ({ store }) =>
        named("processes", said, {
          async close() {
            await store.read(async () => said.push("the store is still open"));
          },
        }),
    ],
  });
  await house.house.close();
  expect(said).toEqual(["processes starts", "the store is still open"]);
});

test("[EF20] a house whose keeper cannot start is not opened, and lets go of what it has", async () => {
  const said: string[] = [];
  const opening = openTestHouse("sqlite", {
    keepers: [
      () => named("first", said),
      () => named("second", said, { start: () => Promise.reject(new Error("no room")) }),
    ],
  });
  await expect(opening).rejects.toThrow("no room");
  expect(said).toEqual(["first starts", "second ends", "first ends"]);
});
