import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { idOf, newWorker, workerOf } from "./work-scene.ts";

interface Similar {
  readonly similar: readonly { id: string; title: string; owner: string; tier: string; score?: number }[];
}

test("[GA42] the most similar work to a task and to what a check looked for, without scores; private work stays unnamed", async () => {
  const house = await openTestHouse("sqlite");
  const ada = workerOf(house);
  const webhooks = await ada.begin("Retry failed webhook deliveries with exponential backoff");
  const bob = await newWorker(house, "bob");
  const export_ = await bob.begin("Export the monthly report as CSV");
  const hidden = await newWorker(house, "grace", { private: true });
  const secret = idOf(await hidden.plan("Webhook deliveries are retried in secret"));
  const similarTo = async (id: string) => (await house.call<Similar>("work_similar", { id })).similar;
  const found = await similarTo(webhooks);
  expect(found.map(({ id }) => id).sort()).toEqual([export_, secret].sort());
  expect(found.every((one) => one.tier === "context" && one.score === undefined)).toBe(true);
  expect(found.find(({ id }) => id === secret)).toMatchObject({
    owner: "@private",
    title: expect.not.stringMatching(/secret/),
  });
  const { data } = await bob.check("Webhooks that failed are sent again");
  const ofCheck = await similarTo(String(data["check_id"]));
  expect(ofCheck.map(({ id }) => id)).toContain(webhooks);
  expect(await house.refusal("work_similar", { id: secret })).toBe("NOT_FOUND");
  expect(await house.refusal("work_similar", { id: "tk_00000000000000000000000000" })).toBe("NOT_FOUND");
});
