import { chownSync, copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { homeAt, makeHome } from "../../src/adapters/home.ts";
import { freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { makeFolder } from "../git/scratch.ts";
import { keptKeys, putDurably } from "./rows.ts";

const register = { name: "Ada", runtime: "custom" };

test.each([
  {
    how: "deleted",
    act(file: string) {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix);
    },
  },
  {
    how: "replaced by a copy",
    act(file: string) {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  },
  {
    how: "left without its log",
    act: (file: string) => rmSync(`${file}-wal`),
  },
])("[DU16] of a store whose file is $how nothing more is acknowledged", async ({ act }) => {
  const location = freshLocation("sqlite");
  const house = await openTestHouse("sqlite", { location });
  await house.agent("Grace");
  act(location);
  expect(await house.refusal("agent_register", register)).toBe("OUTCOME_UNKNOWN");
  expect(await house.refusal("agent_register", register)).toBe("STORE_READ_ONLY");
  expect((await house.call<{ agents: unknown[] }>("agent_list")).agents.length).toBeGreaterThan(0);
  await house.house.close();
});

test("[DU17] a file with a second name is not opened", async () => {
  const location = await makeStore();
  linkSync(location, `${location}.second`);
  await expect(openTestHouse("sqlite", { location })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  rmSync(`${location}.second`);
  expect(await keptKeys(await openTestHouse("sqlite", { location }))).toEqual(["kept"]);
});

test("[DU17] the second name that a killed restore has left is removed, and nothing is lost", async () => {
  const location = await makeStore();
  const aside = `${location}.before-restore-2026-01-02T03-04-05-678Z`;
  linkSync(location, aside);
  expect(await keptKeys(await openTestHouse("sqlite", { location }))).toEqual(["kept"]);
  expect(existsSync(aside)).toBe(false);
});

test.runIf(process.getuid?.() === 0)("[DU18] a home of another account is refused and left alone", () => {
  const dir = join(makeFolder(), "home");
  makeHome(homeAt(dir));
  chownSync(dir, 12_345, 12_345);
  expect(() => makeHome(homeAt(dir))).toThrow("belongs to another account");
  expect(readdirSync(dir)).toEqual([]);
});

async function makeStore(): Promise<string> {
  const location = freshLocation("sqlite");
  const house = await openTestHouse("sqlite", { location });
  await putDurably(house, "kept");
  await house.house.close();
  expect(existsSync(dirname(location))).toBe(true);
  return location;
}
