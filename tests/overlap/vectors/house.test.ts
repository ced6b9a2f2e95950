import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../../src/adapters/home.ts";
import { readSettings } from "../../../src/adapters/settings.ts";
import { openVectors } from "../../../src/adapters/vectors/open.ts";
import { shippedWeights } from "../../../src/domain/overlap/engine/weights.ts";
import type { VectorProvider } from "../../../src/domain/overlap/port.ts";
import { silentLog } from "../../../src/engine/log.ts";
import { openTestHouse, type TestHouse } from "../../../src/testing/house.ts";
import { until } from "../../../src/testing/waiting.ts";
import { type Answer, newWorker, wording, workerOf } from "../../team/work-scene.ts";
import { workOf } from "../engine/docs.ts";
import { fakeVectors, HeldVectors } from "./scene.ts";

const other = "Failed webhook deliveries should be retried with backoff";

test("[VE1] vectors are off, on with one word in the settings, and a wrong word is told", () => {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-vectors-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const home = homeAt(dir);
  const vectorsOf = (config: object) => {
    writeFileSync(home.configFile, JSON.stringify(config));
    return readSettings(home, {}).vectors;
  };
  expect(readSettings(home, {}).vectors).toBe("none");
  expect(vectorsOf({ overlap: {} })).toBe("none");
  expect(vectorsOf({ overlap: { vectors: "minilm" } })).toBe("minilm");
  expect(() => vectorsOf({ overlap: { vectors: "large" } })).toThrow("overlap.vectors");
  expect(openVectors("none", silentLog)).toBeUndefined();
});

test("[VE2] a check is answered although the vectors never come", async () => {
  const vectors = new HeldVectors();
  const house = await openTestHouse("sqlite", { vectors });
  const { checked, started } = await duplicate(house);
  expect(checked.data["requires_verdict"]).toBe(true);
  expect(started.data["code"]).toBe("VERDICT_REQUIRED");
  await until(() => vectors.asked.length > 0);
  await house.house.close();
  expect(vectors.isClosed).toBe(true);
});

test("[VE2, VE5] work and what is asked about get their vectors afterwards, and later checks use and name them", async () => {
  const vectors = new HeldVectors();
  const house = await openTestHouse("sqlite", { vectors });
  await workerOf(house).begin(wording);
  const before = await look(house);
  expect(before.compare(workOf(other), workOf(wording)).features["vectorCosine"]).toBe(0);
  expect(before.modelVersion).toBe(shippedWeights.version);

  await until(() => {
    vectors.answer();
    return [wording, other].every((title) => vectors.asked.flat().includes(title));
  });
  vectors.answer();
  const after = await look(house);
  expect(after.compare(workOf(other), workOf(wording)).features["vectorCosine"]).toBe(1);
  expect(after.modelVersion).toBe(`${shippedWeights.version}+held`);
  expect(vectors.asked.flat().toSorted()).toEqual([wording, other].toSorted());
});

test("[VE3] a house whose vectors are not there answers as one without any", async () => {
  const [without, silent, absent] = await Promise.all(
    [undefined, new HeldVectors(), fakeVectors("absent").vectors].map(answersOf),
  );
  expect(without?.length).toBeGreaterThan(0);
  expect(silent).toEqual(without);
  expect(absent).toEqual(without);
});

test("[VE5, VE8] the thread is asked by the house and ends with it", async () => {
  const { vectors, warnings } = fakeVectors("letters");
  const house = await openTestHouse("sqlite", { vectors });
  await duplicate(house);
  await until(async () => (await look(house)).modelVersion.endsWith("+letters"));
  await house.house.close();
  await expect(vectors.embed([wording])).rejects.toThrow("closed");
  expect(warnings).toEqual([]);
});

const look = (house: TestHouse) => house.house.ports.overlap.findLikeWork(workOf(other), new AbortController().signal);

/** One begins, another checks and starts the same. */
async function duplicate(house: TestHouse): Promise<{ checked: Answer; started: Answer }> {
  await workerOf(house).begin(wording);
  const bob = await newWorker(house, "bob");
  const checked = await bob.check(other);
  return { checked, started: await bob.start(other) };
}

async function answersOf(vectors: VectorProvider | undefined): Promise<object[]> {
  const { checked, started } = await duplicate(await openTestHouse("sqlite", { vectors }));
  const matches = [checked, started].flatMap(({ data }) => (data["matches"] ?? data["candidates"]) as object[]);
  return matches.map((match) => ({ ...match, id: "" }));
}
