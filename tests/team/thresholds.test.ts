import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { readSettings } from "../../src/adapters/settings.ts";
import { type Threshold, thresholdRanges } from "../../src/contract/threshold.ts";
import { defaultSettings } from "../../src/domain/overlap/engine/settings.ts";
import { settleOverlap } from "../../src/engine/thresholds.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { type Candidate, newWorker, workerOf } from "./work-scene.ts";

const title = "Retry failed webhook deliveries with exponential backoff";
const reworded = "Failed webhook deliveries should be retried with backoff";

/** Reads settings as a server of a home with this configuration does. */
function settingsOf(config: unknown): ReturnType<typeof readSettings> {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-thresholds-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const home = homeAt(dir);
  writeFileSync(home.configFile, JSON.stringify(config));
  return readSettings(home, {});
}

const openWith = (config: object): Promise<TestHouse> =>
  openTestHouse("sqlite", { settings: { ...settingsOf(config), checksReplies: true } });

/** What somebody else is shown, and asked about, who checks this while the title is under way. */
async function checkIn(house: TestHouse, wanted: string): Promise<{ asked: string[]; shown: string[] }> {
  const { data } = await (await newWorker(house, "bob")).check(wanted);
  const titlesOf = (key: string) => (data[key] as Candidate[]).map((one) => one.title);
  return { asked: titlesOf("candidates"), shown: titlesOf("matches") };
}

test("[GA33] the threshold of config.json decides what is asked about", async () => {
  const answers = [];
  for (const escalateThreshold of [0.05, 0.9]) {
    const house = await openWith({ overlap: { escalateThreshold } });
    await workerOf(house).begin(title);
    answers.push(await checkIn(house, reworded));
  }
  expect(answers).toEqual([
    { asked: [title], shown: [title] },
    { asked: [], shown: [title] },
  ]);
});

test("[GA33] what the owner sets while the house is open counts from the next check on", async () => {
  const house = await openWith({});
  await workerOf(house).begin(title);
  const asked = [];
  for (const escalateThreshold of [0.9, 0.05]) {
    house.house.thresholds.apply(settingsOf({ overlap: { escalateThreshold } }));
    const worker = await newWorker(house, `bob${asked.length}`);
    asked.push(((await worker.check(reworded)).data["candidates"] as Candidate[]).length);
  }
  expect(asked).toEqual([0, 1]);
});

test("[GA33] the warn floor decides what is shown and recorded", async () => {
  const house = await openWith({ overlap: { warnFloor: 0.9, escalateThreshold: 0.9 } });
  await workerOf(house).begin(title);
  expect(await checkIn(house, reworded)).toEqual({ asked: [], shown: [] });
  const events = (await house.entries()).map(({ kind }) => kind);
  expect(events.filter((kind) => kind.startsWith("warning."))).toEqual([]);
});

test("[GA33] so many are asked about and shown as config.json says", async () => {
  const house = await openWith({ overlap: { maxCandidates: 1, maxMatches: 2 } });
  for (const handle of ["carol", "dave", "erin"]) {
    const worker = await newWorker(house, handle);
    await worker.plan(title);
  }
  expect(await checkIn(house, title)).toEqual({ asked: [title], shown: [title, title] });
});

test("[GA35] the same title and the same ticket are asked about under the highest threshold there is", async () => {
  const house = await openWith({ overlap: { warnFloor: 0.9, escalateThreshold: 0.9 } });
  await workerOf(house).begin(title);
  expect(await checkIn(house, `${title}.`)).toEqual({ asked: [title], shown: [title] });
  const ticket = "Fix #389: the login form loses its focus";
  await workerOf(house).begin(ticket);
  const carol = await newWorker(house, "carol");
  const { data } = await carol.check("Fix PR 389, login form loses focus on reload");
  expect(data["candidates"]).toMatchObject([{ title: ticket }]);
});

test.each([
  [{ overlap: { escalateThreshold: 0.95 } }, "overlap.escalateThreshold is a number from 0 to 0.9."],
  [{ overlap: { warnFloor: -0.1 } }, "overlap.warnFloor is a number from 0 to 0.9."],
  [{ overlap: { warnFloor: "high" } }, "overlap.warnFloor is a number from 0 to 0.9."],
  [{ overlap: { maxCandidates: 0 } }, "overlap.maxCandidates is a whole number from 1 to 20."],
  [{ overlap: { maxMatches: 10.5 } }, "overlap.maxMatches is a whole number from 1 to 50."],
  [{ vault: { maxEntries: -1 } }, "vault.maxEntries is a whole number from 0 to 1000000."],
  [{ overlap: { threshold: 0.5 } }, "threshold"],
])("[GA34] %j stops the start and says what to write instead", (config, told) => {
  expect(() => settingsOf(config)).toThrow(told);
});

test.each([
  [
    { warnFloor: 0.5 },
    `overlap.warnFloor (0.5) is above overlap.escalateThreshold (${defaultSettings.escalateThreshold})`,
  ],
  [
    { escalateThreshold: 0.01 },
    `overlap.warnFloor (${defaultSettings.warnFloor}) is above overlap.escalateThreshold (0.01)`,
  ],
  [{ maxCandidates: 20 }, "overlap.maxCandidates (20) is above overlap.maxMatches (10)"],
])("[GA34] %j contradicts itself or a default, and stops the start before the store is opened", async (overlap, told) => {
  await expect(openWith({ overlap })).rejects.toThrow(`config.json: ${told}`);
});

test("[GA33] what is not set stays as it is shipped", () => {
  expect(settleOverlap(settingsOf({}))).toEqual(defaultSettings);
  expect(settleOverlap(settingsOf({ overlap: { maxMatches: 20 } }))).toEqual({ ...defaultSettings, maxMatches: 20 });
});

test("[GA36] settings_get answers all that a team may set, for everyone", async () => {
  const house = await openWith({ overlap: { escalateThreshold: 0.2 }, vault: { maxEntries: 7 } });
  const { caller } = await house.developer("bob");
  const { least, most, meaning } = thresholdRanges["overlap.escalateThreshold"];
  const answer = await house.call<{ thresholds: { key: string; value: number; default: number }[] }>(
    "settings_get",
    {},
    caller,
  );
  expect(answer).toMatchObject({ needs_restart: true });
  expect(answer.thresholds.map(({ key, value, default: fallback }) => [key, value, fallback])).toEqual([
    ["overlap.warnFloor", defaultSettings.warnFloor, defaultSettings.warnFloor],
    ["overlap.escalateThreshold", 0.2, defaultSettings.escalateThreshold],
    ["overlap.escalationCap", 1, 1],
    ["overlap.maxCandidates", 5, 5],
    ["overlap.maxMatches", 10, 10],
    ["vault.maxEntries", 7, 200],
  ]);
  expect(answer.thresholds[1]).toEqual({
    key: "overlap.escalateThreshold",
    value: 0.2,
    default: defaultSettings.escalateThreshold,
    least,
    most,
    meaning,
  });
});

test("[GA36] the guide names every figure with the default and the range that hold", async () => {
  const house = await openTestHouse("sqlite");
  const { thresholds } = await house.call<{ thresholds: Threshold[] }>("settings_get");
  const guide = readFileSync(new URL("../../docs/running.md", import.meta.url), "utf8");
  for (const { key, default: fallback, least, most } of thresholds) {
    const row = guide.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${key}\``)) ?? "";
    expect(row).toContain(`${least} to ${most.toLocaleString("en")}`);
    expect(row).toContain(`default ${fallback}`);
  }
});
