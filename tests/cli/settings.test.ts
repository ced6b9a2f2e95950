import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { thresholdRanges } from "../../src/contract/threshold.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome, type TestHome } from "./program.ts";

beforeAll(ensureBuilt);

function configured(config: object): TestHome {
  const home = openHome();
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(home.dir, "config.json"), JSON.stringify(config));
  return home;
}

test("[CL65, GA33] settings shows what config.json has set, and changes it at once", async () => {
  const home = configured({ overlap: { escalateThreshold: 0.25 } });
  const { code, stdout } = await crewdeck(home, ["settings"]);
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/^SETTING +VALUE +DEFAULT +RANGE +MEANING$/);
  expect(lines.find((line) => line.startsWith("overlap.escalateThreshold"))).toMatch(
    /^overlap\.escalateThreshold +0\.25 +0\.\d+ +0 to 0\.9 +From this score on/,
  );
  expect(lines.at(-2)).toContain("crewdeck settings set");
  const set = (value: string) => crewdeck(home, ["settings", "set", "overlap.escalateThreshold", value]);
  expect(await set("0.3")).toMatchObject({ code: 0, stdout: "overlap.escalateThreshold is now 0.3.\n" });
  expect((await crewdeck(home, ["settings"])).stdout).toMatch(/overlap\.escalateThreshold +0\.3 /);
  expect((await crewdeck(home, ["log"])).stdout).toContain("set overlap.escalateThreshold to 0.3");
  expect((await set("high")).code).toBe(2);
  const { thresholds } = await crewdeckJson<{ thresholds: { key: string }[] }>(home, "settings");
  expect(thresholds.map(({ key }) => key)).toEqual(Object.keys(thresholdRanges));
});

test.each([
  [{ overlap: { warnFloor: 0.5 } }, "overlap.warnFloor (0.5) is above overlap.escalateThreshold"],
  [
    { overlap: { escalateThreshold: 2 } },
    "overlap.escalateThreshold is a number from 0 to 0.9. Change it, or take it out",
  ],
])("[GA34] a server with %j does not start and says why", async (config, told) => {
  const { code, stdout, stderr } = await crewdeck(configured(config), ["serve"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("config.json");
  expect(stderr).toContain(told);
});
