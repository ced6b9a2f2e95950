import { afterEach, expect, test, vi } from "vitest";
import { longestWaitMs, patienceOf } from "../../src/contract/client-patience.ts";
import type { DeveloperId } from "../../src/contract/ids.ts";
import { openWaitHouse } from "../team/wait-scene.ts";

afterEach(() => void vi.useRealTimers());

const developerId = "dev_00000000000000000000000000" as DeveloperId;

test("[WA31, WA5] who asked for progress hears every ten seconds that it still waits, until its time is over", async () => {
  const { house } = await openWaitHouse("sqlite");
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "performance"] });
  const told: number[] = [];
  const ear = house.waiting.listen({
    agentId: null,
    developerId,
    limitMs: 25_000,
    signal: new AbortController().signal,
    progress: (seconds) => void told.push(seconds),
  });
  const sleeping = ear.sleep();
  await vi.advanceTimersByTimeAsync(24_999);
  expect(told).toEqual([10, 20]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await sleeping).toBe("timeout");
  ear.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([10, 20]);
});

test("[WA32] who is roused again and again looks at most five times a second", async () => {
  const { house } = await openWaitHouse("sqlite");
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "performance"] });
  const ask = { agentId: null, developerId, limitMs: 60_000, signal: new AbortController().signal };
  const ear = house.waiting.listen(ask) as ReturnType<typeof house.waiting.listen> & { rouse(): void };
  let looks = 0;
  const looking = (async () => {
    while ((await ear.sleep()) === "event") looks += 1;
  })();
  for (let ms = 0; ms < 1_000; ms += 10) {
    ear.rouse();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(looks).toBeGreaterThan(1);
  expect(looks).toBeLessThanOrEqual(6);
  await house.waiting.close();
  await looking;
  ear.close();
});

const [seconds, minutes] = [1_000, 60_000];

test.each([
  { name: "claude-code", way: "stdio", limit: 25 * minutes },
  { name: "Claude Code", way: "http", limit: 25 * seconds },
  { name: "codex-mcp-client", way: "stdio", limit: 4 * minutes },
  { name: "gemini-cli-mcp-client", way: "stdio", limit: 9 * minutes },
  { name: "opencode", way: "stdio", limit: 25 * seconds },
  { name: "opencode", way: "stdio", hasProgress: true, limit: 9 * minutes },
  { name: "jcode", way: "stdio", hasProgress: true, limit: 25 * seconds },
  { name: "cursor-vscode", way: "stdio", limit: 50 * seconds },
  { name: undefined, way: "http", hasProgress: true, limit: 50 * seconds },
] as const)("[WA30] $name over $way waits at most $limit ms", ({ name, way, limit, ...more }) => {
  expect(patienceOf({ name, way, hasProgress: "hasProgress" in more })).toBe(limit);
  expect(limit).toBeLessThanOrEqual(longestWaitMs);
});
