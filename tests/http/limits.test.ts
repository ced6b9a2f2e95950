import fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimit } from "../../src/transports/http/rate-limit.ts";
import { stillClock } from "../domain/still-house.ts";
import { ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";

test("[HT60] too many wrong tokens are 429 with Retry-After, and valid ones keep working", async () => {
  const clock = stillClock();
  const server = await openServer({ sources: clock });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, count) =>
      ask(server, "POST", "/api/tools/agent_list", { token: `cdk_guess${count}`, body: {} }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBe(100);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBe(100);
  for (const answer of refused) {
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(answer.json()).toMatchObject({ ok: false, error: { code: "RATE_LIMITED" } });
  }
  expect(await callTool(server, "agent_list")).toEqual({ agents: [] });
  clock.advance(60_000);
  expect((await ask(server, "GET", "/api/me", { token: "cdk_guess" })).status).toBe(401);
});

test("[HT61] a bucket never gives more than its capacity and what has flowed in since", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }),
      (capacity, perSecond, waits) => {
        let now = 0;
        const limit = new RateLimit({ capacity, perSecond, now: () => now });
        let taken = 0;
        for (const wait of waits) {
          now += wait;
          const seconds = limit.take("one");
          if (seconds === 0) taken += 1;
          expect(taken).toBeLessThanOrEqual(capacity + (now / 1_000) * perSecond + 1e-6);
          if (seconds > 0) expect(new RateLimit({ capacity, perSecond, now: () => now }).take("other")).toBe(0);
        }
      },
    ),
  );
});

test("[HT61] whoever waits as long as they are told is let in", () => {
  let now = 0;
  const limit = new RateLimit({ capacity: 2, perSecond: 1, now: () => now });
  expect([limit.take("a"), limit.take("a")]).toEqual([0, 0]);
  const seconds = limit.take("a");
  expect(seconds).toBe(1);
  now += seconds * 1_000;
  expect(limit.take("a")).toBe(0);
});

test("[HT61] a clock that is set back takes nothing away", () => {
  let now = 1_000_000;
  const limit = new RateLimit({ capacity: 2, perSecond: 1, now: () => now });
  expect(limit.take("a")).toBe(0);
  now -= 86_400_000;
  expect(limit.take("a")).toBe(0);
});

test("[HT61] strangers' keys do not fill the memory", () => {
  const limit = new RateLimit({ capacity: 1, perSecond: 1, now: () => 0 });
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 200_000; count += 1) limit.take(`stranger ${count}`);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1024 * 1024);
});
