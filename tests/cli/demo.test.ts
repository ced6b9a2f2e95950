import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

const demoOf = (home: TestHome): string => `${home.dir}-demo`;

test("[CL70, CL71] the example team is made beside the home, is lively, says that it is one, and is removed", async () => {
  const home = openHome();
  onTestFinished(async () => void (await crewdeck(home, ["demo", "--remove"])));
  const made = await crewdeckJson<{ url: string; home: string; made: boolean }>(home, "demo");
  expect(made).toMatchObject({ home: demoOf(home), made: true });
  expect(existsSync(home.dir) && existsSync(join(home.dir, "crewdeck.db"))).toBe(false);

  const token = (JSON.parse(readFileSync(join(demoOf(home), "credentials.json"), "utf8")) as { default: string })
    .default;
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${made.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return ((await response.json()) as { result: Record<string, unknown> }).result;
  };
  expect(await ask("/api/me")).toMatchObject({ demo: true });
  expect(await ask("/api/state")).toMatchObject({
    recentSessions: { length: 4 },
    overlapWarnings: [{ title: "Load price rules only once per request" }],
  });
  expect(await ask("/api/inbox")).toMatchObject({ items: [{ kind: "ask" }, { kind: "handoff" }] });

  expect(await crewdeckJson(home, "demo")).toMatchObject({ made: false, url: made.url });
  expect(await crewdeckJson(home, "demo", "--remove")).toEqual({ removed: true, home: demoOf(home) });
  expect(existsSync(demoOf(home))).toBe(false);
  expect(await crewdeckJson(home, "demo", "--remove")).toMatchObject({ removed: false });
});

test("[CL72] a folder that is no example is neither used nor removed", async () => {
  const home = openHome();
  mkdirSync(demoOf(home), { recursive: true });
  writeFileSync(join(demoOf(home), "mine.txt"), "mine");
  const refused = await crewdeck(home, ["demo"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("holds something else");
  await crewdeck(home, ["demo", "--remove"]);
  expect(readFileSync(join(demoOf(home), "mine.txt"), "utf8")).toBe("mine");
});
