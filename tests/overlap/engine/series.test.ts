import { expect, test } from "vitest";
import { OverlapIndex } from "../../../src/domain/overlap/engine/overlap-index.ts";
import { findPatterned, holdBack } from "../../../src/domain/overlap/engine/series.ts";
import { openTestHouse } from "../../../src/testing/house.ts";
import { type Candidate, newWorker, workerOf } from "../../team/work-scene.ts";
import { scoreOne, workOf } from "./docs.ts";

const review = (subject: string): string => `Careful review of the ${subject} module after the refactoring`;
const asked = review("export");

function seriesOf(titles: readonly string[]): string[] {
  const index = new OverlapIndex();
  const found = titles.map((title) => ({ title, match: scoreOne(index, workOf(asked), workOf(title)) }));
  const series = findPatterned(found, { titleOf: ({ title }) => title, matchOf: ({ match }) => match });
  return found.filter((one) => series.has(one)).map(({ title }) => title);
}

const five = ["template", "gateway", "schema", "billing", "cache"].map(review);
const four = five.slice(0, 4);

test("[OV24] five titles from one frame are a series, four are none", () => {
  expect(seriesOf(four)).toEqual([]);
  expect(seriesOf(five)).toEqual(five);
});

test("[OV24] copies of one title count once, and the same title and other words are no part of a series", () => {
  expect(seriesOf([...four, ...four])).toEqual([]);
  expect(seriesOf([...four, asked])).toEqual([]);
  expect(seriesOf([...four, "Rotate the signing keys of the gateway"])).toEqual([]);
});

test("[OV16, OV24] what is held back as one of a series keeps its score and says why", () => {
  const match = scoreOne(new OverlapIndex(), workOf(asked), workOf(review("template")));
  expect(match).toMatchObject({ tier: "escalate", escalates: true, suppressedBy: null });
  expect(holdBack(match)).toEqual({
    ...match,
    tier: "shortlist",
    escalates: false,
    suppressedBy: "template_sibling",
    reasons: [...match.reasons.slice(0, 2), "Not escalated: one of a series made from the same pattern"],
  });
});

const row = (tenant: number): string => `Retry failed webhook deliveries of tenant ${tenant} with backoff`;
const reworded = "Webhook deliveries that fail should be retried with backoff";

function heldBeside(titles: readonly string[], wanted = row(3)): string[] {
  const index = new OverlapIndex();
  const found = titles.map((title) => ({ title, match: scoreOne(index, workOf(wanted), workOf(title)) }));
  const held = findPatterned(found, { titleOf: ({ title }) => title, matchOf: ({ match }) => match });
  return found.filter((one) => one.match.escalates && held.has(one)).map(({ title }) => title);
}

test("[OV25] beside a match that differs in its number only, other matches are held back, the same title never", () => {
  expect(heldBeside([reworded])).toEqual([]);
  expect(heldBeside([reworded, row(4)])).toEqual([reworded]);
  expect(heldBeside([row(3), row(4)])).toEqual([]);
});

test("[OV25] what is near certain is asked about beside any pattern, and tests or the opposite are no pattern", () => {
  const sure = "Retry the failed webhook deliveries of tenant 3 with a backoff again";
  expect(scoreOne(new OverlapIndex(), workOf(row(3)), workOf(sure)).score).toBeGreaterThanOrEqual(0.7);
  expect(heldBeside([sure, row(4)])).toEqual([]);
  const wanted = "Retry failed webhook deliveries with backoff";
  expect(heldBeside([reworded, "Tests: retry failed webhook deliveries with backoff"], wanted)).toEqual([]);
});

test("[OV24] a check shows a series and asks about none of it, but for the very same title", async () => {
  const house = await openTestHouse("sqlite");
  const ada = workerOf(house);
  for (const title of four) await ada.plan(title);
  const bob = await newWorker(house, "bob");
  const titlesOf = async (key: string): Promise<string[]> =>
    ((await bob.check(asked)).data[key] as Candidate[]).map(({ title }) => title).toSorted();
  expect(await titlesOf("candidates")).toEqual(four.toSorted());
  await ada.plan(five[4] ?? "");
  expect(await titlesOf("candidates")).toEqual([]);
  expect(await titlesOf("matches")).toEqual(five.toSorted());
  await ada.plan(asked);
  expect(await titlesOf("candidates")).toEqual([asked]);
});
